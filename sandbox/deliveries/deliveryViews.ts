import type { components } from '../../contract/service';
import { matching } from '../store/listing';
import type { Store } from '../store/store';
import type { DeliveryState } from './queue';

type Event = components['schemas']['Event'];

export type DeliveryView = {
	id: string;
	eventId: string;
	eventType: Event['event_type'];
	workspaceId: string;
	subscriptionId: string;
	url: string;
	state: DeliveryState;
	/** Attempts so far, since it was last restarted. */
	attempts: number;
	dueAt: string | null;
	lastStatus: number | null;
	lastError: string | null;
	deliveredAt: string | null;
};

const columns = {
	id: 'deliveries.id',
	event: 'deliveries.event_id',
	subscription: 'deliveries.subscription_id',
	state: 'deliveries.state',
};

/** The matching deliveries in the order in which they were made. */
export function readDeliveries(
	store: Store,
	filter: { [Name in keyof typeof columns]?: string | undefined } = {},
): DeliveryView[] {
	const { conditions, parameters } = matching(columns, filter);
	return store.all<DeliveryView>(
		`SELECT deliveries.id, event_id AS eventId, event_type AS eventType,
			events.workspace_id AS workspaceId, subscription_id AS subscriptionId, url, state, attempts,
			CASE WHEN state = 'waiting' THEN due_at END AS dueAt, last_status AS lastStatus,
			last_error AS lastError, delivered_at AS deliveredAt
		FROM deliveries
		JOIN events ON events.id = event_id
		JOIN subscriptions ON subscriptions.id = subscription_id
		WHERE ${conditions.join(' AND ')} ORDER BY deliveries.rowid`,
		parameters,
	);
}

export function countDeliveries(store: Store): Record<DeliveryState, number> {
	const rows = store.all<{ state: DeliveryState; number: number }>(
		'SELECT state, count(*) AS number FROM deliveries GROUP BY state',
	);

	const counts = { waiting: 0, sending: 0, delivered: 0, failed: 0, dropped: 0 };
	for (const { state, number } of rows) {
		counts[state] = number;
	}

	return counts;
}
