import type { Network } from '../network/network';

export interface Moment {
	kind: 'request' | 'event' | 'delivery' | 'ledger';
	id: string;
	at: string;
	text: string;
	/** A status, a state, or an amount in minor units. */
	result: string | number | null;
}

interface RequestSource {
	read: (filter: { subject: string }) => {
		number: number;
		at: string;
		method: string;
		path: string;
		status: number | null;
	}[];
}

/** Everything about a payable, funding or deposit in the order in which it happened. */
export function timelineOf(network: Network, requests: RequestSource, id: string): Moment[] {
	const calls = requests
		.read({ subject: id })
		.map(({ number, at, method, path, status }): Moment => ({
			kind: 'request',
			id: String(number),
			at,
			text: `${method} ${path}`,
			result: status === null ? null : String(status),
		}));

	const recorded = network.store.all<Moment & Record<string, string | number | null>>(
		`SELECT 'event' AS kind, id, created_at AS at, event_type AS text,
			json_extract(data, '$.payable.status') AS result FROM events WHERE subject_id = $id
		UNION ALL
		SELECT 'delivery', deliveries.id, COALESCE(delivered_at, due_at), event_type || ' to ' || url, state
		FROM events JOIN deliveries ON event_id = events.id
			JOIN subscriptions ON subscriptions.id = subscription_id WHERE subject_id = $id
		UNION ALL
		SELECT 'ledger', entries.id, transfers.created_at, kind || ': ' || account, amount
		FROM transfers JOIN entries ON transfer_id = transfers.id
		WHERE reference = $id OR reference IN (SELECT funding_id FROM allocations WHERE payable_id = $id)
		ORDER BY at LIMIT 200`,
		{ id },
	);

	return [...calls, ...recorded].sort((a, b) => a.at.localeCompare(b.at));
}
