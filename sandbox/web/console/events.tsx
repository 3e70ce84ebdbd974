import type { components } from '../../../contract/service';
import { Live } from '../../ui/live';
import { Table, type Column } from '../../ui/table';
import { Money, Timestamp, UserText } from '../../ui/text';
import { ConsolePage, CONSOLE_ROOT } from './frame';
import { workspacePath } from './workspaces';

type Event = components['schemas']['Event'];

/** An event, with the name of the workspace in which it happened. */
export interface EventDetails {
	event: Event;
	workspace: string;
}

const Subject = ({ data }: { data: Event['data'] }) => {
	if ('partner' in data) {
		const { email = '', status } = data.partner;
		return (
			<>
				<UserText>{email}</UserText> is {status}
			</>
		);
	}
	const { id, amount = 0, payee_email: payee, status } = data.payable;
	return (
		<>
			<code>{id}</code> is {status}: <Money amount={amount} /> for{' '}
			<UserText>{payee ?? ''}</UserText>
		</>
	);
};

const columns: Column<EventDetails>[] = [
	{ name: 'Event', cell: ({ event }) => <code class="unbroken">{event.event_type}</code> },
	{ name: 'About', cell: ({ event }) => <Subject data={event.data} /> },
	{
		name: 'Workspace',
		cell: ({ event, workspace }) => (
			<a href={workspacePath(event.workspace_id)}>
				<UserText>{workspace}</UserText>
			</a>
		),
	},
	{ name: 'At', cell: ({ event }) => <Timestamp at={event.created_at} /> },
];

/** What has happened and subscribers can hear of, newest first. */
export const EventsPage = ({ events }: { events: EventDetails[] }) => (
	<ConsolePage part="events">
		<Live url={`${CONSOLE_ROOT}/events`}>
			<Table
				caption="Events, newest first"
				columns={columns}
				rows={events}
				idOf={({ event }) => event.id}
				empty="No events yet. Approve a payable, or verify a vendor."
			/>
		</Live>
	</ConsolePage>
);
