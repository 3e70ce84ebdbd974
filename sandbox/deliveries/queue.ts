import type { components } from '../../contract/service';
import type { Clock } from '../store/clock';
import { newId } from '../shared/ids';
import type { Parameters, Store } from '../store/store';

type Event = components['schemas']['Event'];

/**
 * The state of a delivery. `waiting`: not due, or too many others are being sent; `sending`: claimed
 * by an attempt; the others are final until a redelivery is asked for, and `dropped` means that a
 * fault has dropped it.
 */
export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed' | 'dropped';

/** A delivery with its event and subscription. */
export type QueuedDelivery = {
	id: string;
	attempts: number;
	/** The kind of the fault that has postponed the next attempt, or null. */
	postponedBy: string | null;
	event: Event;
	/** Numbers of the event and the subscription, which are the same in another run. */
	sequence: number;
	subscriptionSequence: number;
	subscriptionId: string;
	url: string;
	secret: string;
};

const select = `
	SELECT deliveries.id, attempts, postponed_by AS postponedBy, sequence,
		subscriptions.rowid AS subscriptionSequence, subscriptions.id AS subscriptionId, url, secret,
		json_object('id', events.id, 'event_type', event_type, 'created_at', events.created_at,
			'workspace_id', events.workspace_id, 'data', json(data)) AS event
	FROM deliveries
	JOIN events ON events.id = deliveries.event_id
	JOIN subscriptions ON subscriptions.id = deliveries.subscription_id`;

const SUBSCRIPTION_ENDED = 'The subscription has ended.';

/** The deliveries as they are stored: one for every subscription that wants the event. */
export class DeliveryQueue {
	constructor(
		private readonly store: Store,
		private readonly clock: Clock,
	) {}

	/** Stores the deliveries of an event, due at once, in the transaction of the event. */
	add(event: Event): void {
		const subscriptions = this.store.all<{ id: string }>(
			`SELECT id FROM subscriptions WHERE workspace_id = $workspaceId AND ended_at IS NULL
				AND EXISTS (SELECT 1 FROM json_each(subscriptions.events) WHERE value = $type)
			ORDER BY rowid`,
			{ workspaceId: event.workspace_id, type: event.event_type },
		);

		for (const { id } of subscriptions) {
			this.store.insert('deliveries', {
				id: newId('delivery'),
				event_id: event.id,
				subscription_id: id,
				state: 'waiting',
				attempts: 0,
				due_at: this.clock.iso(),
			});
		}
	}

	/** The subscriptions with a delivery that is due at a time, oldest first. */
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

	/** Claims what is due for a subscription, longest due first, for an attempt. */
	claim(subscriptionId: string, now: string, limit: number): QueuedDelivery[] {
		return this.store.transaction(() => {
			const claimed = this.read(
				`WHERE subscription_id = $subscriptionId AND state = 'waiting' AND due_at <= $now
				ORDER BY due_at, deliveries.rowid LIMIT $limit`,
				{ subscriptionId, now, limit },
			);

			for (const { id } of claimed) {
				this.store.update('deliveries', id, { state: 'sending' });
			}

			return claimed;
		});
	}

	find(id: string): QueuedDelivery | undefined {
		return this.read('WHERE deliveries.id = $id', { id })[0];
	}

	/** When the next delivery becomes due after a time, in milliseconds since 1970. */
	nextDueMs(now: string): number | undefined {
		const row = this.store.first<{ at: string | null }>(
			"SELECT min(due_at) AS at FROM deliveries WHERE state = 'waiting' AND due_at > $now",
			{ now },
		);

		return row?.at == null ? undefined : Date.parse(row.at);
	}

	/** The subscription's oldest event that has been delivered, other than the given one. */
	findEarlier({ subscriptionId, event }: QueuedDelivery): QueuedDelivery | undefined {
		return this.read(
			`WHERE subscription_id = $subscriptionId AND state = 'delivered' AND event_id <> $eventId
			ORDER BY deliveries.rowid LIMIT 1`,
			{ subscriptionId, eventId: event.id },
		)[0];
	}

	/** A secret that signs for another workspace, the latest one; undefined when there is none. */
	foreignSecret(workspaceId: string): string | undefined {
		return this.store.first<{ secret: string }>(
			'SELECT secret FROM subscriptions WHERE workspace_id <> $workspaceId ORDER BY rowid DESC LIMIT 1',
			{ workspaceId },
		)?.secret;
	}

	markDelivered(id: string, status: number): void {
		this.store.run(
			`UPDATE deliveries SET state = 'delivered', attempts = attempts + 1, last_status = $status,
				last_error = NULL, delivered_at = $at WHERE id = $id`,
			{ id, status, at: this.clock.iso() },
		);
	}

	/** An attempt has failed: it is retried after the delay, or, without one, never. */
	markFailed(
		id: string,
		{ status, error }: { status: number | null; error: string | null },
		delayMs: number | undefined,
	): void {
		const state = delayMs === undefined ? 'failed' : 'waiting';
		this.store.run(
			`UPDATE deliveries SET state = $state, attempts = attempts + 1, last_status = $status,
				last_error = $error, due_at = $dueAt, postponed_by = NULL WHERE id = $id`,
			{ id, state, status, error, dueAt: this.isoAfter(delayMs ?? 0) },
		);
	}

	/** Puts one back that was claimed and not sent. */
	requeue(id: string, delayMs = 0, postponedBy: string | null = null): void {
		this.store.update('deliveries', id, {
			state: 'waiting',
			due_at: this.isoAfter(delayMs),
			postponed_by: postponedBy,
		});
	}

	/** Puts everything back that was being sent when the sandbox ended. */
	requeueAll(): void {
		this.store.run("UPDATE deliveries SET state = 'waiting' WHERE state = 'sending'");
	}

	drop(id: string): void {
		this.store.update('deliveries', id, { state: 'dropped' });
	}

	/** Ends a subscription: it gets nothing more, and what waits for it has failed. */
	endSubscription(subscriptionId: string): void {
		this.store.run(
			'UPDATE subscriptions SET ended_at = $at WHERE id = $subscriptionId AND ended_at IS NULL',
			{ subscriptionId, at: this.clock.iso() },
		);

		this.store.run(
			`UPDATE deliveries SET state = 'failed', last_error = $error
			WHERE subscription_id = $subscriptionId AND state = 'waiting'`,
			{ subscriptionId, error: SUBSCRIPTION_ENDED },
		);
	}

	hasEnded(subscriptionId: string): boolean {
		return this.store.has(
			'SELECT 1 FROM subscriptions WHERE id = $subscriptionId AND ended_at IS NOT NULL',
			{ subscriptionId },
		);
	}

	/** Restarts a delivery, unless it is being sent. */
	restart(id: string): void {
		this.store.run(
			`UPDATE deliveries SET state = 'waiting', attempts = 0, due_at = $now, last_status = NULL,
				last_error = NULL, delivered_at = NULL, postponed_by = NULL
			WHERE id = $id AND state <> 'sending'`,
			{ id, now: this.clock.iso() },
		);
	}

	private isoAfter(delayMs: number): string {
		return new Date(this.clock.nowMs() + delayMs).toISOString();
	}

	private read(rest: string, parameters: Parameters): QueuedDelivery[] {
		return this.store
			.all<Omit<QueuedDelivery, 'event'> & { event: string }>(`${select} ${rest}`, parameters)
			.map((row) => ({ ...row, event: JSON.parse(row.event) as Event }));
	}
}
