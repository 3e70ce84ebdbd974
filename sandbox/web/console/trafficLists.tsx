import { operationIds } from '../../contract/contract';
import { eventTypes } from '../../network/events';
import { DELIVERY_TROUBLE } from '../../store/schema';
import { StatusBadge, UserText } from '../../ui/text';
import { linked, plainColumns, str } from './cells';
import { EventSubject } from './eventSubject';
import { Act } from './frame';
import type { List } from './rows';

export const trafficLists = {
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
			type: eventTypes,
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
		empty:
			'No subscriptions yet. Activate a trigger node, or subscribe on the page of a workspace.',
	},
	deliveries: {
		caption: 'Deliveries, newest first',
		listing: {
			columns: `deliveries.id, substr(deliveries.id, 1, 12) AS short, event_type, url, state AS status, attempts, events.created_at,
				COALESCE(last_status, last_error) AS told,
				(SELECT entry ->> 'durationMs' FROM log.mentions JOIN log.entries USING (kind, number)
				WHERE subject = deliveries.id AND kind = 'attempt' ORDER BY number DESC LIMIT 1)
					AS durationMs`,
			from: `deliveries JOIN events ON events.id = event_id
				JOIN subscriptions ON subscriptions.id = subscription_id`,
			key: 'deliveries.rowid',
			search: ['deliveries.id', 'events.data', 'url'],
			filters: { status: 'state', event: 'event_id', subscription: 'subscription_id' },
			sorts: { errors: DELIVERY_TROUBLE },
		},
		choices: { status: ['waiting', 'sending', 'delivered', 'failed', 'dropped'] },
		columns: (back) => [
			linked('Delivery', 'deliveries/{id}', 'short'),
			...plainColumns({
				event_type: 'Event',
				url: 'To',
				status: 'Status',
				attempts: 'Attempts',
				told: 'Answer',
				durationMs: 'Took',
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
				entry ->> 'durationMs' AS durationMs,
				COALESCE((SELECT email FROM users WHERE id = entry ->> 'account'), entry ->> 'account')
					AS caller,
				(SELECT group_concat(value, ', ') FROM json_each(entry, '$.faults')) ||
				iif(entry ->> 'serviceStatus' IS NULL, ' before the effect', ' after the effect') AS faults,
				entry ->> 'at' AS at`,
			from: 'log.entries',
			key: 'number',
			where: "kind = 'request'",
			search: ['entry'],
			filters: { operation: 'name', status: 'status_class' },
			sorts: { errors: 'status_class' },
		},
		choices: { status: ['2xx', '3xx', '4xx', '5xx', 'none'], operation: operationIds },
		columns: () => [
			linked('Request', 'requests/{number}', 'request'),
			...plainColumns({
				operation: 'Operation',
			}),
			{
				name: 'Status',
				cell: ({ status }) => <StatusBadge status={status === null ? null : Number(status)} />,
			},
			...plainColumns({
				durationMs: 'Took',
				caller: 'Caller',
				error: 'Error',
				faults: 'Faults',
				at: 'At',
			}),
		],
		empty: 'No requests yet. Run a workflow with the node, or call the API.',
	},
} satisfies Record<string, List>;
