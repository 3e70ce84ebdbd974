import type { WorkspaceView } from '../../domain/views';
import { Live } from '../../ui/live';
import { Table, type Column } from '../../ui/table';
import { Money, UserText } from '../../ui/text';
import { ConsolePage, CONSOLE_ROOT } from './frame';

/** The path of the page of a workspace. */
export const workspacePath = (id: string): string => `${CONSOLE_ROOT}/workspaces/${id}`;

const columns: Column<WorkspaceView>[] = [
	{
		name: 'Workspace',
		cell: ({ id, displayName }) => (
			<a href={workspacePath(id)}>
				<UserText>{displayName}</UserText>
			</a>
		),
	},
	{ name: 'ID', cell: ({ id }) => <code>{id}</code> },
	{ name: 'Buyer', cell: ({ buyer }) => <UserText>{buyer}</UserText> },
	{ name: 'Wallet', numeric: true, cell: ({ balance }) => <Money amount={balance} /> },
	{ name: 'Account', cell: ({ accountNumber }) => <code>{accountNumber}</code> },
	{ name: 'Routing', cell: ({ routingNumber }) => <code>{routingNumber}</code> },
	{
		name: 'Invite link',
		cell: ({ inviteUrl, displayName }) => (
			<a href={inviteUrl}>
				Invite link<span class="visually-hidden"> of {displayName}</span>
			</a>
		),
	},
];

/** Every workspace of every buyer. */
export const WorkspacesPage = ({ workspaces }: { workspaces: WorkspaceView[] }) => (
	<ConsolePage part="workspaces">
		<p>Choose a workspace to see its partners, payables and money.</p>
		<Live url={CONSOLE_ROOT}>
			<Table
				caption="All workspaces of this sandbox"
				columns={columns}
				rows={workspaces}
				idOf={({ id }) => id}
				empty="No workspaces. Add some with POST /_sandbox/seed, or start over with POST /_sandbox/reset."
			/>
		</Live>
	</ConsolePage>
);
