import type { components } from '../../contract/service';
import type { Store } from '../store/store';
import type { DeliveryState } from './queue';

type Event = components['schemas']['Event'];

/** A delivery as the control API shows it. */
export interface DeliveryView {
	id: string;
	eventId: string;
	eventType: Event['event_type'];
	workspaceId: string;
	subscriptionId: string;
	url: string;
	state: DeliveryState;
	/** Attempts so far, since it was last restarted. */
	attempts: number;
	/** When it is tried next; null unless it waits. */
	dueAt: string | null;
	/** What the last attempt got for an answer; null without one. */
	lastStatus: number | null;
	lastError: string | null;
	deliveredAt: string | null;
}

/** Which deliveries to show; what is left out matches all. */
export interface DeliveryFilter {
	id?: string | undefined;
	event?: string | undefined;
	subscription?: string | undefined;
	state?: string | undefined;
}

const columns: [keyof DeliveryFilter, string][] = [
	['id', 'deliveries.id'],
	['event', 'deliveries.event_id'],
	['subscription', 'deliveries.subscription_id'],
	['state', 'deliveries.state'],
];

type DeliveryRow = {
	id: string;
	event_id: string;
	event_type: Event['event_type'];
	workspace_id: string;
	subscription_id: string;
	url: string;
	state: DeliveryState;
	attempts: number;
	due_at: string;
	last_status: number | null;
	last_error: string | null;
	delivered_at: string | null;
};

/** The matching deliveries in the order in which they were made. */
export function readDeliveries(store: Store, filter: DeliveryFilter = {}): DeliveryView[] {
	const conditions = ['TRUE'];
	const parameters: Record<string, string> = {};
	for (const [name, column] of columns) {
		const value = filter[name];
		if (value === undefined) continue;
		conditions.push(`${column} = $${name}`);
		parameters[name] = value;
	}
	return store
		.all<DeliveryRow>(
			`SELECT deliveries.id, event_id, event_type, events.workspace_id, subscription_id, url,
				state, attempts, due_at, last_status, last_error, delivered_at
			FROM deliveries
			JOIN events ON events.id = event_id
			JOIN subscriptions ON subscriptions.id = subscription_id
			WHERE ${conditions.join(' AND ')} ORDER BY deliveries.rowid`,
			parameters,
		)
		.map((row) => ({
			id: row.id,
			eventId: row.event_id,
			eventType: row.event_type,
			workspaceId: row.workspace_id,
			subscriptionId: row.subscription_id,
			url: row.url,
			state: row.state,
			attempts: row.attempts,
			dueAt: row.state === 'waiting' ? row.due_at : null,
			lastStatus: row.last_status,
			lastError: row.last_error,
			deliveredAt: row.delivered_at,
		}));
}

/** How many deliveries there are in each state. */
export function countDeliveries(store: Store): Record<DeliveryState, number> {
	const rows = store.all<{ state: DeliveryState; number: number }>(
		'SELECT state, count(*) AS number FROM deliveries GROUP BY state',
	);
	const none = { waiting: 0, sending: 0, delivered: 0, failed: 0, dropped: 0 };
	return rows.reduce((counts, { state, number }) => ({ ...counts, [state]: number }), none);
}
