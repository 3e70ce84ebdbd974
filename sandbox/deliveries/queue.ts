import type { components } from '../../contract/service';
import type { Clock } from '../store/clock';
import { presentEvent, type EventRow } from '../network/events';
import { newId } from '../shared/ids';
import type { Store } from '../store/store';

type Event = components['schemas']['Event'];

/**
 * Where a delivery stands. `waiting`: for its time or for a place; `sending`: on its way; the others
 * are final until somebody asks for redelivery, and `dropped` is what a fault has swallowed.
 */
export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed' | 'dropped';

/** A delivery that has been taken to be sent. */
export interface Due {
	id: string;
	/** How often it was tried before. */
	attempts: number;
	event: Event;
	/** The event's place among all events. */
	sequence: number;
	subscription: {
		id: string;
		/** The subscription's place among all subscriptions. */
		place: number;
		url: string;
		secret: string;
	};
}

type DueRow = EventRow & {
	delivery_id: string;
	attempts: number;
	sequence: number;
	subscription_id: string;
	place: number;
	url: string;
	secret: string;
};

const select = `
	SELECT deliveries.id AS delivery_id, deliveries.attempts,
		events.id, events.event_type, events.workspace_id, events.data, events.created_at,
		events.sequence, subscriptions.id AS subscription_id, subscriptions.rowid AS place,
		subscriptions.url, subscriptions.secret
	FROM deliveries
	JOIN events ON events.id = deliveries.event_id
	JOIN subscriptions ON subscriptions.id = deliveries.subscription_id`;

/** The last words on a delivery whose subscription has ended before it was sent. */
const ENDED = 'The subscription has ended.';

/** The deliveries as they are stored: one for every subscription that wants the event. */
export class Queue {
	constructor(
		private readonly store: Store,
		private readonly clock: Clock,
	) {}

	/** Makes the deliveries of an event, due at once, in the transaction of the event. */
	add(event: Event): void {
		for (const { id } of this.store.all<{ id: string }>(
			`SELECT id FROM subscriptions WHERE workspace_id = $workspaceId AND ended_at IS NULL
				AND EXISTS (SELECT 1 FROM json_each(subscriptions.events) WHERE value = $type)
			ORDER BY rowid`,
			{ workspaceId: event.workspace_id, type: event.event_type },
		)) {
			this.store.run(
				`INSERT INTO deliveries (id, event_id, subscription_id, state, attempts, due_at)
				VALUES ($id, $eventId, $subscriptionId, 'waiting', 0, $at)`,
				{
					id: newId('delivery'),
					eventId: event.id,
					subscriptionId: id,
					at: this.clock.iso(),
				},
			);
		}
	}

	/** The subscriptions that something is due for at a time, oldest first. */
	subscriptionsWithDue(now: string): string[] {
		return this.store
			.all<{ id: string }>(
				`SELECT id FROM subscriptions WHERE EXISTS (
					SELECT 1 FROM deliveries
					WHERE subscription_id = subscriptions.id AND state = 'waiting' AND due_at <= $now
				) ORDER BY rowid`,
				{ now },
			)
			.map(({ id }) => id);
	}

	/** Takes what is due for a subscription, longest due first: it counts as being sent. */
	take(subscriptionId: string, now: string, most: number): Due[] {
		return this.store.transaction(() => {
			const rows = this.store.all<DueRow>(
				`${select} WHERE deliveries.subscription_id = $subscriptionId
					AND deliveries.state = 'waiting' AND deliveries.due_at <= $now
				ORDER BY deliveries.due_at, deliveries.rowid LIMIT $most`,
				{ subscriptionId, now, most },
			);
			for (const { delivery_id } of rows) {
				this.store.run("UPDATE deliveries SET state = 'sending' WHERE id = $id", {
					id: delivery_id,
				});
			}
			return rows.map(present);
		});
	}

	/** When the next delivery becomes due that was not at a time, in milliseconds since 1970. */
	nextDue(now: string): number | undefined {
		const row = this.store.all<{ at: string | null }>(
			"SELECT min(due_at) AS at FROM deliveries WHERE state = 'waiting' AND due_at > $now",
			{ now },
		)[0];
		return row?.at == null ? undefined : Date.parse(row.at);
	}

	/** The subscription's oldest event that has been delivered, other than the given one. */
	earlier(due: Due): Due | undefined {
		return this.store
			.all<DueRow>(
				`${select} WHERE deliveries.subscription_id = $subscriptionId
					AND deliveries.state = 'delivered' AND deliveries.event_id <> $eventId
				ORDER BY deliveries.rowid LIMIT 1`,
				{ subscriptionId: due.subscription.id, eventId: due.event.id },
			)
			.map(present)[0];
	}

	/** A secret that signs for another workspace, the latest one; undefined when there is none. */
	foreignSecret(workspaceId: string): string | undefined {
		return this.store.all<{ secret: string }>(
			'SELECT secret FROM subscriptions WHERE workspace_id <> $workspaceId ORDER BY rowid DESC LIMIT 1',
			{ workspaceId },
		)[0]?.secret;
	}

	/** The subscriber has taken it. */
	delivered(id: string, status: number): void {
		this.store.run(
			`UPDATE deliveries SET state = 'delivered', attempts = attempts + 1, last_status = $status,
				last_error = NULL, delivered_at = $at WHERE id = $id`,
			{ id, status, at: this.clock.iso() },
		);
	}

	/** The subscriber has not taken it: after the delay it is tried again, or, without one, never. */
	refused(
		id: string,
		{ status, error }: { status: number | null; error: string | null },
		delayMs: number | undefined,
	): void {
		this.store.run(
			`UPDATE deliveries SET state = $state, attempts = attempts + 1, last_status = $status,
				last_error = $error, due_at = $dueAt WHERE id = $id`,
			{
				id,
				state: delayMs === undefined ? 'failed' : 'waiting',
				status,
				error,
				dueAt: this.#in(delayMs ?? 0),
			},
		);
	}

	/** Puts one back that was taken and not sent after all. */
	putBack(id: string, delayMs = 0): void {
		this.store.run("UPDATE deliveries SET state = 'waiting', due_at = $dueAt WHERE id = $id", {
			id,
			dueAt: this.#in(delayMs),
		});
	}

	/** Puts everything back that was being sent when the sandbox was ended. */
	putAllBack(): void {
		this.store.run("UPDATE deliveries SET state = 'waiting' WHERE state = 'sending'");
	}

	/** It will never be sent, and nobody is told. */
	dropped(id: string): void {
		this.store.run("UPDATE deliveries SET state = 'dropped' WHERE id = $id", { id });
	}

	/** Ends a subscription: it gets nothing more, and what waits for it has failed. */
	end(subscriptionId: string): void {
		this.store.run(
			'UPDATE subscriptions SET ended_at = $at WHERE id = $subscriptionId AND ended_at IS NULL',
			{ subscriptionId, at: this.clock.iso() },
		);
		this.store.run(
			`UPDATE deliveries SET state = 'failed', last_error = $error
			WHERE subscription_id = $subscriptionId AND state = 'waiting'`,
			{ subscriptionId, error: ENDED },
		);
	}

	hasEnded(subscriptionId: string): boolean {
		return this.store.has(
			'SELECT 1 FROM subscriptions WHERE id = $subscriptionId AND ended_at IS NOT NULL',
			{ subscriptionId },
		);
	}

	/** Begins a delivery anew; one that is on its way already is left to arrive. */
	beginAnew(id: string): void {
		this.store.run(
			`UPDATE deliveries SET state = 'waiting', attempts = 0, due_at = $now, last_status = NULL,
				last_error = NULL, delivered_at = NULL WHERE id = $id AND state <> 'sending'`,
			{ id, now: this.clock.iso() },
		);
	}

	#in(delayMs: number): string {
		return new Date(this.clock.milliseconds() + delayMs).toISOString();
	}
}

const present = (row: DueRow): Due => ({
	id: row.delivery_id,
	attempts: row.attempts,
	event: presentEvent(row),
	sequence: row.sequence,
	subscription: {
		id: row.subscription_id,
		place: row.place,
		url: row.url,
		secret: row.secret,
	},
});
