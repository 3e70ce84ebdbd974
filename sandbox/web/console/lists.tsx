import { VENDOR_STATUS } from '../../domain/partners';
import { vendorPage } from '../../domain/vendors';
import type { Row, Store } from '../../store/store';
import type { Column } from '../../ui/table';
import { UserText } from '../../ui/text';
import { cellOf, linked, plainColumns } from './cells';
import { EventSubject } from './eventSubject';
import { Act, consolePath } from './frame';
import { Rows, type List } from './rows';

const str = (row: Row, name: string): string => String(row[name] ?? '');

interface Decision {
	route: 'verifyVendor' | 'rejectVendor' | 'setTaxForm';
	label: string;
	input?: Record<string, string>;
}

/** What can be decided about a vendor now, by its state in the network. */
const decisions: Record<string, Decision[]> = {
	pending: [
		{ route: 'verifyVendor', label: 'Verify' },
		{ route: 'rejectVendor', label: 'Reject' },
	],
	rejected: [{ route: 'verifyVendor', label: 'Verify' }],
	verified: [{ route: 'setTaxForm', label: 'Expire tax form', input: { status: 'expired' } }],
	tax_form_expired: [{ route: 'setTaxForm', label: 'Renew tax form', input: { status: 'valid' } }],
};

const VendorActions = ({ row, back }: { row: Row; back: string }) => {
	const about = str(row, 'name') || str(row, 'email');
	const invited = { workspaceId: str(row, 'workspace_id'), email: str(row, 'email') };
	const vendor = str(row, 'vendor_id');
	return (
		<div class="actions">
			{row['status'] === 'invited' && (
				<Act
					route="acceptInvitation"
					label="Accept for this vendor"
					input={invited}
					about={about}
					back={back}
				/>
			)}
			{decisions[str(row, 'network_status')]?.map(({ route, label, input }) => (
				<Act
					key={label}
					route={route}
					label={label}
					about={about}
					back={back}
					second={route !== 'verifyVendor'}
					input={{ vendor, ...input }}
				/>
			))}
		</div>
	);
};

const vendorColumns = (back: string): Column<Row>[] => [
	...plainColumns({ email: 'E-mail address' }),
	{
		name: 'Name',
		cell: (row) =>
			row['vendor_id'] === null ? (
				cellOf('name', row['name'])
			) : (
				<a href={vendorPage(str(row, 'vendor_id'), str(row, 'page_key'))}>
					<UserText>{str(row, 'name') || str(row, 'email')}</UserText>
				</a>
			),
	},
	...plainColumns({ status: 'Status', created_at: 'Since' }),
	{ name: 'Decision of the network', cell: (row) => <VendorActions row={row} back={back} /> },
];

export const lists = {
	vendors: {
		caption: 'Vendors of the network',
		listing: {
			columns: `vendors.id AS vendor_id, page_key, email, business_name AS name, created_at,
				${VENDOR_STATUS} AS status, ${VENDOR_STATUS} AS network_status`,
			from: 'vendors',
			key: 'vendors.rowid',
			search: ['vendors.id', 'email', "COALESCE(business_name, '')"],
			filters: { status: VENDOR_STATUS },
		},
		choices: { status: ['pending', 'verified', 'rejected', 'tax_form_expired'] },
		columns: vendorColumns,
		empty: 'No vendors yet. Invite one with the node.',
	},
	partners: {
		caption: 'Vendors that a workspace has invited or who have joined it',
		listing: {
			columns: `workspace_id, partners.email, vendors.id AS vendor_id, page_key,
				COALESCE(partners.business_name, vendors.business_name) AS name, partners.created_at,
				iif(accepted_at IS NULL, 'invited', ${VENDOR_STATUS}) AS status,
				${VENDOR_STATUS} AS network_status`,
			from: 'partners LEFT JOIN vendors ON vendors.email = partners.email',
			key: 'partners.rowid',
			search: ['partners.email', "COALESCE(partners.business_name, vendors.business_name, '')"],
			filters: { workspace: 'workspace_id' },
		},
		columns: vendorColumns,
		empty: 'No partners yet. Invite one with the node, or open the invite link and sign up.',
	},
	payables: {
		caption: 'Payables, newest first',
		listing: {
			columns: 'id, payee_email, description, status, updated_at, amount',
			from: 'payables',
			key: 'payables.rowid',
			search: ['id', 'payee_email', "COALESCE(description, '')"],
			filters: { workspace: 'workspace_id', status: 'status' },
			sorts: { amount: 'amount' },
		},
		choices: { status: ['draft', 'approved', 'will_pay', 'paid'] },
		columns: () =>
			plainColumns({
				id: 'Payable',
				payee_email: 'Payee',
				description: 'For',
				status: 'Status',
				updated_at: 'Changed',
				amount: 'Amount',
			}),
		empty: 'No payables yet. Create one with the node.',
	},
	fundings: {
		caption: 'Fundings, newest first',
		listing: {
			columns: `id, description, status, method, created_at, amount,
				(SELECT count(*) FROM allocations WHERE funding_id = fundings.id) AS payables`,
			from: 'fundings',
			key: 'fundings.rowid',
			search: ['id', "COALESCE(description, '')", "COALESCE(po_number, '')"],
			filters: { workspace: 'workspace_id', status: 'status' },
			sorts: { amount: 'amount' },
		},
		choices: { status: ['awaiting_deposit', 'funded'] },
		columns: () =>
			plainColumns({
				id: 'Funding',
				description: 'For',
				status: 'Status',
				payables: 'Payables',
				method: 'By',
				created_at: 'Created',
				amount: 'Amount',
			}),
		empty: 'No fundings yet. Approve a payable, then fund it with the node.',
	},
	deposits: {
		caption: 'Bank transfers that have arrived, newest first',
		listing: {
			columns: `id, received_at, amount, funding_id,
				CASE WHEN funding_id IS NULL THEN 'unlinked' ELSE 'linked' END AS status`,
			from: 'deposits',
			key: 'deposits.rowid',
			search: ['id'],
			filters: { workspace: 'workspace_id' },
			sorts: { amount: 'amount' },
		},
		columns: () =>
			plainColumns({
				id: 'Deposit',
				status: 'Status',
				funding_id: 'Funding',
				received_at: 'Received',
				amount: 'Amount',
			}),
		empty: 'No deposits yet.',
	},
	subscriptions: {
		caption: 'Webhook subscriptions, newest first',
		listing: {
			columns: `subscriptions.id, url, (SELECT group_concat(value, ', ') FROM json_each(events)) AS events,
				workspace_id, display_name, iif(ended_at IS NULL, 'active', 'ended') AS status,
				subscriptions.created_at, (SELECT count(*) FROM deliveries
					WHERE subscription_id = subscriptions.id AND state = 'failed') || ' failed' AS failed`,
			from: 'subscriptions JOIN workspaces ON workspaces.id = workspace_id',
			key: 'subscriptions.rowid',
			search: ['url', 'events'],
			filters: { workspace: 'workspace_id' },
		},
		columns: () => [
			linked('To', 'deliveries?subscription={id}', 'url'),
			...plainColumns({ events: 'Events' }),
			linked('Workspace', 'workspaces/{workspace_id}', 'display_name'),
			...plainColumns({ status: 'Status' }),
			linked('Failed', 'deliveries?subscription={id}&status=failed', 'failed'),
			...plainColumns({ created_at: 'Since' }),
		],
		empty: 'No subscriptions yet. Activate a trigger node, or call the API.',
	},
	wallet: {
		caption: 'What has come into a wallet and gone out of it, newest first',
		listing: {
			columns: 'kind, reference, entries.amount, created_at',
			from: 'entries JOIN transfers ON transfers.id = transfer_id',
			key: 'entries.id',
			search: ['reference', 'kind'],
			filters: { account: 'account' },
		},
		columns: () =>
			plainColumns({ kind: 'What', reference: 'About', created_at: 'At', amount: 'Amount' }),
		empty: 'Nothing has come in or gone out.',
	},
	outbox: {
		caption: 'Mails, newest first',
		listing: {
			columns: 'recipient, subject, sent_at, invite_url',
			from: 'mails',
			key: 'mails.rowid',
			search: ['recipient', 'subject'],
		},
		columns: () => [
			...plainColumns({ recipient: 'To', subject: 'Subject', sent_at: 'Sent' }),
			{
				name: 'Link in the mail',
				cell: (row) => (
					<a href={str(row, 'invite_url')}>
						Open the invitation to <UserText>{str(row, 'recipient')}</UserText>
					</a>
				),
			},
		],
		empty: 'No mails yet. Invite a partner with the node.',
	},
	events: {
		caption: 'Events, newest first',
		listing: {
			columns: `events.id, event_type, data, events.created_at, workspace_id, display_name,
				(SELECT count(*) FROM deliveries WHERE event_id = events.id) || ' deliveries' AS deliveries`,
			from: 'events JOIN workspaces ON workspaces.id = workspace_id',
			key: 'events.sequence',
			search: ['events.id', 'data'],
			filters: { type: 'event_type', workspace: 'workspace_id' },
		},
		choices: {
			type: [
				'payable.approved',
				'payable.paid',
				'payable.status_changed',
				'partner.status_changed',
			],
		},
		columns: () => [
			...plainColumns({ event_type: 'Event' }),
			{ name: 'About', cell: (row) => <EventSubject data={str(row, 'data')} /> },
			linked('Workspace', 'workspaces/{workspace_id}', 'display_name'),
			linked('Deliveries', 'deliveries?event={id}', 'deliveries'),
			...plainColumns({ created_at: 'At' }),
		],
		empty: 'No events yet. Approve a payable, or verify a vendor.',
	},
	deliveries: {
		caption: 'Deliveries, newest first',
		listing: {
			columns: `deliveries.id, substr(deliveries.id, 1, 12) AS short, event_type, url, state AS status, attempts, events.created_at,
				COALESCE(last_status, last_error) AS answer`,
			from: `deliveries JOIN events ON events.id = event_id
				JOIN subscriptions ON subscriptions.id = subscription_id`,
			key: 'deliveries.rowid',
			search: ['deliveries.id', 'events.data', 'url'],
			filters: { status: 'state', event: 'event_id', subscription: 'subscription_id' },
		},
		choices: { status: ['waiting', 'sending', 'delivered', 'failed', 'dropped'] },
		columns: (back) => [
			linked('Delivery', 'deliveries/{id}', 'short'),
			...plainColumns({
				event_type: 'Event',
				url: 'To',
				status: 'Status',
				attempts: 'Attempts',
				answer: 'Answer',
				created_at: 'At',
			}),
			{
				name: 'Again',
				cell: (row) => (
					<Act
						route="redeliver"
						label="Send again"
						back={back}
						second={true}
						input={{ delivery: str(row, 'id') }}
						about={str(row, 'id')}
					/>
				),
			},
		],
		empty: 'No deliveries yet. Activate a trigger node, then approve a payable.',
	},
	requests: {
		caption: 'Requests, newest first',
		listing: {
			columns: `number, entry ->> 'method' || ' ' || (entry ->> 'path') AS request,
				name AS operation, entry ->> 'status' AS status, entry ->> 'errorCode' AS error,
				(SELECT group_concat(value, ', ') FROM json_each(entry, '$.faults')) ||
				iif(entry ->> 'serviceStatus' IS NULL, ' before the effect', ' after the effect') AS faults,
				entry ->> 'at' AS at`,
			from: 'log.entries',
			key: 'number',
			where: "kind = 'request'",
			search: ['entry'],
			filters: { operation: 'name' },
		},
		columns: () => [
			linked('Request', 'requests/{number}', 'request'),
			...plainColumns({
				operation: 'Operation',
				status: 'Status',
				error: 'Error',
				faults: 'Faults',
				at: 'At',
			}),
		],
		empty: 'No requests yet. Run a workflow with the node, or call the API.',
	},
} satisfies Record<string, List>;

export type ListName = keyof typeof lists;

/** The newest rows of a list of the console, or one page of it, with the ways on. */
export const ListTable = (props: {
	store: Store;
	name: ListName;
	query: URLSearchParams;
	limit: number;
	back: string;
	/** Where all rows are, when these are only the newest. */
	all?: string;
}) => {
	const { name, query, all } = props;
	const page = (after?: string) => consolePath(name, { ...Object.fromEntries(query), after });
	return (
		<Rows
			{...props}
			list={lists[name]}
			nothing={query.size > 0 && all === undefined ? 'Nothing matches.' : undefined}
			ways={(next) => {
				if (all !== undefined) {
					return <a href={all}>{`Show all ${name}`}</a>;
				}

				return (
					<>
						{query.has('after') && <a href={page()}>First page</a>}
						{next !== undefined && <a href={page(next)}>Next page</a>}
					</>
				);
			}}
		/>
	);
};
