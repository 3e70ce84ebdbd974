import type { Network } from '../network/network';
import type { Payable } from './payables';

/** A state of a payable: when it came, who was its cause, and with what. */
export type Move = {
	status: Payable['status'];
	at: string;
	actor: string;
	action: string;
};

/** The states that a payable has had, in order. A user is named by the address. */
export const movesOf = ({ store }: Network, payableId: string): Move[] =>
	store.all<Move>(
		`SELECT status, at, action,
			COALESCE((SELECT 'user ' || email FROM users WHERE 'user ' || users.id = actor), actor) AS actor
		FROM moves WHERE payable_id = $payableId ORDER BY id`,
		{ payableId },
	);

export interface Moment {
	kind: 'request' | 'state' | 'event' | 'ledger' | 'delivery';
	id: string;
	at: string;
	text: string;
	/** A status, a state, or an amount in minor units. */
	result: string | number | null;
	/** Milliseconds to the answer, of a request or the last attempt of a delivery. */
	tookMs: number | null;
}

/** In this order happens what has the same time: a call has its effects, and deliveries come last. */
const KINDS: Moment['kind'][] = ['request', 'state', 'event', 'ledger', 'delivery'];

interface RequestSource {
	read: (filter: { subject: string }) => {
		number: number;
		at: string;
		method: string;
		path: string;
		status: number | null;
		durationMs: number | null;
	}[];
}

/** Everything about a payable, funding or deposit in the order in which it happened. */
export function timelineOf(network: Network, requests: RequestSource, id: string): Moment[] {
	const calls = requests
		.read({ subject: id })
		.map(({ number, at, method, path, status, durationMs }): Moment => ({
			kind: 'request',
			id: String(number),
			at,
			text: `${method} ${path}`,
			result: status === null ? null : String(status),
			tookMs: durationMs,
		}));

	const moves = movesOf(network, id).map(({ status, at, actor, action }): Moment => ({
		kind: 'state',
		id: status,
		at,
		text: `${action} by ${actor}`,
		result: status,
		tookMs: null,
	}));

	const recorded = network.store.all<Moment & Record<string, string | number | null>>(
		`SELECT 'event' AS kind, id, created_at AS at, event_type AS text,
			json_extract(data, '$.payable.status') AS result, NULL AS tookMs
		FROM events WHERE subject_id = $id
		UNION ALL
		SELECT 'delivery', deliveries.id, COALESCE(delivered_at, due_at), event_type || ' to ' || url, state,
			(SELECT entry ->> 'durationMs' FROM log.mentions JOIN log.entries USING (kind, number)
			WHERE subject = deliveries.id AND kind = 'attempt' ORDER BY number DESC LIMIT 1)
		FROM events JOIN deliveries ON event_id = events.id
			JOIN subscriptions ON subscriptions.id = subscription_id WHERE subject_id = $id
		UNION ALL
		SELECT 'ledger', entries.id, transfers.created_at, kind || ': ' || account, amount, NULL
		FROM transfers JOIN entries ON transfer_id = transfers.id
		WHERE reference = $id OR reference IN (SELECT funding_id FROM allocations WHERE payable_id = $id)
		ORDER BY at LIMIT 200`,
		{ id },
	);

	return [...calls, ...moves, ...recorded].sort(
		(a, b) => a.at.localeCompare(b.at) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
	);
}
