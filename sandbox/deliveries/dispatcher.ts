import type { components } from '../../contract/service';
import { errorText, notFound } from '../shared/errors';
import type { Clock } from '../store/clock';
import type { Store } from '../store/store';
import { chance } from '../shared/random';
import type { Settings } from '../shared/settings';
import { Log } from '../store/log';
import type { SettingsInForce } from '../store/settingsInForce';
import { DeliveryAttempt, logAttempt, type LoggedAttempt } from './attempt';
import { isBatchEnvelope } from './envelopes';
import { attemptKey, DeliveryFaults, isTiming } from './deliveryFaults';
import { DeliveryQueue, type QueuedDelivery } from './queue';
import { buildRequest, headersOf } from './requests';
import { readDeliveries, type DeliveryView } from './deliveryViews';

type RedeliveryTarget = { delivery: string } | { event: string };

const STOP_GRACE_MS = 500;
/** How many deliveries are started before other work of the process gets a turn. */
const MAX_CLAIMED_AT_ONCE = 200;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends queued deliveries in the background, several at a time. It looks at the queue when an event
 * was recorded, an attempt has ended, the clock has jumped or the next delivery is due.
 */
export class DeliveryDispatcher {
	readonly faults = new DeliveryFaults();
	readonly log: Log<LoggedAttempt>;
	private readonly queue: DeliveryQueue;
	private readonly attempts = new Map<DeliveryAttempt, Promise<void>>();
	private isRunning = false;
	private immediate: NodeJS.Immediate | undefined;
	private timer: NodeJS.Timeout | undefined;

	/** @param reportError gets a line when the sandbox itself fails */
	constructor(
		private readonly store: Store,
		private readonly clock: Clock,
		private readonly settings: SettingsInForce,
		private readonly reportError: (text: string) => void,
	) {
		this.log = new Log(store, 'attempt');
		this.queue = new DeliveryQueue(store, clock);
		clock.onJump(() => {
			this.schedule();
		});
	}

	/** Starts to deliver, with whatever an earlier process has left. */
	start(): void {
		this.queue.requeueAll();
		this.isRunning = true;
		this.schedule();
	}

	/** Stops delivering. What is not answered after a short while is left for the next start. */
	async stop(): Promise<void> {
		this.isRunning = false;
		clearTimeout(this.timer);
		clearImmediate(this.immediate);

		const grace = setTimeout(() => {
			this.cancelAttempts();
		}, STOP_GRACE_MS);

		await Promise.all(this.attempts.values());
		clearTimeout(grace);
	}

	/** Stores the deliveries of an event in its transaction; they start once that is committed. */
	enqueue(event: components['schemas']['Event']): void {
		this.queue.add(event);
		this.schedule();
	}

	/** Looks at the queue again, since a setting has changed. */
	refresh(): void {
		this.schedule();
	}

	/**
	 * Restarts deliveries in whatever state they are, except those that are being sent.
	 * @throws HttpError 404 when there is no such delivery or event
	 */
	redeliver(target: RedeliveryTarget): DeliveryView[] {
		const found = readDeliveries(
			this.store,
			'delivery' in target ? { id: target.delivery } : target,
		);
		if (found.length === 0) {
			throw notFound('delivery', Object.values(target).join());
		}

		for (const { id } of found) {
			this.queue.restart(id);
		}

		this.schedule();
		return found.flatMap(({ id }) => readDeliveries(this.store, { id }));
	}

	/** The POST of a delivery as it would be sent now. @throws HttpError 404 when there is none */
	preview(id: string): { url: string; headers: Record<string, string>; body: string } {
		const delivery = this.queue.find(id);
		if (delivery === undefined) {
			throw notFound('delivery', id);
		}

		const at = new Date(this.clock.nowMs());
		const request = buildRequest(this.settings.values, at, delivery);
		const { url, body } = request;
		return { url, headers: headersOf(request), body };
	}

	/** Begins anew with what is stored now, which is not what the attempts under way were for. */
	restart(): void {
		this.cancelAttempts();
		this.faults.clear();
		this.queue.requeueAll();
		this.schedule();
	}

	/** Forgets faults and log, and cancels what is being sent. */
	reset(): void {
		this.cancelAttempts();
		this.faults.clear();
		this.log.clear();
	}

	private cancelAttempts(): void {
		for (const attempt of this.attempts.keys()) {
			attempt.cancel();
		}
	}

	// Transactions are synchronous: an immediate comes after the commit, once for many events.
	private schedule(): void {
		if (!this.isRunning) {
			return;
		}

		this.immediate ??= setImmediate(() => {
			this.immediate = undefined;

			try {
				this.dispatch();
			} catch (error) {
				this.reportError(errorText(error));
			}
		});
	}

	private dispatch(): void {
		const options = this.settings.values;
		clearTimeout(this.timer);
		if (options.paused) {
			return;
		}

		// One time for all queries: what becomes due between two of them is not overlooked.
		const now = this.clock.iso();
		const subscriptions = this.queue
			.subscriptionsWithDue(now)
			.map((id) => ({ id, inFlight: this.inFlight(id) }));

		// The subscription with the fewest attempts comes first, so that no backlog starves the others.
		subscriptions.sort((a, b) => a.inFlight - b.inFlight);

		for (const { id } of subscriptions) {
			this.dispatchTo(id, now, options);
		}

		const nextDueMs = this.queue.nextDueMs(now);
		// A clock that stands still makes nothing due.
		if (nextDueMs === undefined || this.clock.isFrozen) {
			return;
		}

		const waitMs = Math.max(1, nextDueMs - this.clock.nowMs());
		this.timer = setTimeout(
			() => {
				this.schedule();
			},
			Math.min(waitMs, MAX_TIMER_MS),
		);
	}

	private dispatchTo(subscriptionId: string, now: string, options: Settings): void {
		const batchSize = isBatchEnvelope(options.envelope) ? options.batchSize : 1;
		const free = options.maxInFlightPerSubscription - this.inFlight(subscriptionId);
		if (free <= 0) {
			return;
		}

		const allowed = free * batchSize;
		const limit = Math.min(allowed, Math.max(batchSize, MAX_CLAIMED_AT_ONCE));
		const claimed = this.queue.claim(subscriptionId, now, limit);
		const due = claimed.filter((delivery) => this.isDue(delivery, options));
		// Slots are left over for what exceeded the limit, or because some were postponed.
		if (limit < allowed || due.length < claimed.length) {
			this.schedule();
		}

		for (let at = 0; at < due.length; at += batchSize) {
			const [first, ...rest] = due.slice(at, at + batchSize);
			if (first !== undefined) {
				this.startAttempt([first, ...rest], options);
			}
		}
	}

	private inFlight(subscriptionId: string): number {
		const attempts = [...this.attempts.keys()];
		return attempts.filter((attempt) => attempt.subscriptionId === subscriptionId).length;
	}

	/** Whether no fault postpones or drops the delivery; a dropped one is logged. */
	private isDue(delivery: QueuedDelivery, { seed }: Settings): boolean {
		if (delivery.postponedBy !== null) {
			return true;
		}

		const fault = this.faults.useFirst(delivery, seed, isTiming);
		if (fault === undefined) {
			return true;
		}

		if (fault.kind === 'drop') {
			this.drop(delivery);
			return false;
		}

		const random = chance(seed, 'postpone', ...attemptKey(delivery));
		const waitMs = fault.kind === 'delay' ? fault.ms : Math.floor(fault.ms * random);
		this.queue.requeue(delivery.id, waitMs, fault.kind);
		return false;
	}

	private drop(delivery: QueuedDelivery): void {
		this.queue.drop(delivery.id);
		logAttempt(this.log, [delivery], {
			at: this.clock.iso(),
			status: null,
			error: null,
			durationMs: 0,
			bytes: 0,
			faults: ['drop'],
			answer: null,
		});
	}

	private startAttempt(
		deliveries: [QueuedDelivery, ...QueuedDelivery[]],
		settings: Settings,
	): void {
		const { store, clock, faults, log } = this;
		const context = { store, clock, queue: this.queue, faults, log, settings };
		const attempt = new DeliveryAttempt(context, deliveries);
		const ended = attempt
			.send()
			.catch((error: unknown) => {
				this.reportError(errorText(error));
			})
			.finally(() => {
				this.attempts.delete(attempt);
				this.schedule();
			});

		this.attempts.set(attempt, ended);
	}
}
