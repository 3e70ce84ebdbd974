import type { Mail } from '../../domain/mail';
import { Live } from '../../ui/live';
import { Table, type Column } from '../../ui/table';
import { Timestamp, UserText } from '../../ui/text';
import { ConsolePage, CONSOLE_ROOT } from './frame';

const columns: Column<Mail>[] = [
	{ name: 'To', cell: ({ to }) => <UserText>{to}</UserText> },
	{ name: 'Subject', cell: ({ subject }) => <UserText>{subject}</UserText> },
	{ name: 'Sent', cell: ({ sentAt }) => <Timestamp at={sentAt} /> },
	{
		name: 'Link in the mail',
		cell: ({ inviteUrl, to }) => (
			<a href={inviteUrl}>
				Open the invitation<span class="visually-hidden"> to {to}</span>
			</a>
		),
	},
];

/** Mails that would have been sent, newest first. */
export const OutboxPage = ({ mails }: { mails: Mail[] }) => (
	<ConsolePage part="outbox">
		<p>Mails of this sandbox end here; none leaves this machine.</p>
		<Live url={`${CONSOLE_ROOT}/outbox`}>
			<Table
				caption="Mails, newest first"
				columns={columns}
				rows={mails}
				idOf={({ id }) => id}
				empty="No mails yet. Invite a partner with the node."
			/>
		</Live>
	</ConsolePage>
);
