import { abortable } from '../../shared/concurrency';
import type { Clock } from './clock';

/** At most `requests` in any window of `windowMs`. */
export interface RateLimit {
	requests: number;
	windowMs: number;
}

/** What the service documents that every account is allowed. */
const STANDARD_LIMIT: RateLimit = { requests: 100, windowMs: 60_000 };

/** The limit of an account as its credential states it; the standard one when that makes no sense. */
export function rateLimitOf(credentials: Record<string, unknown>): RateLimit {
	const requests = Math.floor(Number(credentials.requestsPerMinute));
	const seconds = Number(credentials.rateWindowSeconds);
	const isWindow = seconds > 0 && Number.isFinite(seconds);
	return {
		requests: requests >= 1 && Number.isFinite(requests) ? requests : STANDARD_LIMIT.requests,
		windowMs: isWindow ? seconds * 1000 : STANDARD_LIMIT.windowMs,
	};
}

/** How a request ended that was sent in a slot; without a status it got no answer. */
export interface SentRequest {
	status?: number;
	/** For how long the service wants no requests, where it said so. */
	retryAfterMs?: number | undefined;
}

/** Gives a slot back when its request has ended; `sent` is left out when none was sent. */
export type ReleaseSlot = (sent?: SentRequest) => void;

/** The service wants no requests for longer than a run waits. */
export class AccountBlockedError extends Error {
	constructor(readonly forMs: number) {
		super('The service wants no requests');
	}
}

// The clocks of two machines do not run alike, and timestamps are rounded.
const MARGIN_MS = 10;
const MAX_BLOCKED_MS = 15 * 60_000;

/**
 * As many requests are in flight as the limit allows in this time. More would not be faster, and perhaps
 * none of them would be let in.
 */
const IN_FLIGHT_MS = 50;
const MIN_IN_FLIGHT = 8;

const MIN_SPEED = 1 / 8;
const SPEED_STEP = 1 / 100;
/** How long all requests wait after a 429 that does not say so; doubles with each further one. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/**
 * Keeps the requests of one account within its limit, as the service sees it.
 *
 * A request reaches the service at some time between its sending and its answer. So its slot is
 * occupied until a whole window after its answer. Waiting requests are served in their order.
 *
 * Other processes may use the account, or its limit may be lower. So a 429 pauses all requests; then one
 * is sent alone until the service lets one in. Each 429 halves the speed, down to an eighth; each request
 * that is let in raises it by a hundredth. Several processes find their shares that way.
 */
export class RateLimiter {
	private waiting = 0;
	private inFlight = 0;
	private lastSentAt = -Infinity;
	/** When the requests were answered that still occupy a slot, in their order. */
	private readonly answeredAt: number[] = [];
	private pausedUntil = -Infinity;
	/** How many requests in a row were not let in. */
	private turnedAway = 0;
	/** When it was slowed down last: an answer to an earlier request says nothing about the new speed. */
	private slowedAt = -Infinity;
	private speed = 1;
	/** Ends when the last one in the queue has been served. */
	private queue = Promise.resolve();
	/** Makes the first request in the queue check again. */
	private wake = (): void => undefined;

	constructor(
		private readonly clock: Clock,
		private limit: RateLimit,
	) {}

	adjust(limit: RateLimit): void {
		this.limit = limit;
		this.wake();
	}

	/**
	 * Waits for a slot, which must be released.
	 *
	 * @throws AccountBlockedError when the service wants no requests for longer than a run waits, or the
	 *   signal's reason as soon as it aborts
	 */
	async acquire(signal?: AbortSignal): Promise<ReleaseSlot> {
		const earlier = this.queue;
		let leaveQueue = (): void => undefined;
		this.queue = new Promise((resolve) => (leaveQueue = resolve));
		this.waiting += 1;
		try {
			await abortable(earlier, signal);
			await this.untilFree(signal);
		} finally {
			this.waiting -= 1;
			// The next one gets its turn after the earlier ones, also when this one has given up.
			void earlier.then(leaveQueue);
		}
		const sentAt = this.clock.now();
		this.inFlight += 1;
		this.lastSentAt = sentAt;
		return (sent) => {
			this.release(sentAt, sent);
		};
	}

	get isIdle(): boolean {
		this.freeSlots();
		const isUsed = this.waiting + this.inFlight + this.answeredAt.length > 0;
		return !isUsed && this.pausedUntil <= this.clock.now();
	}

	private async untilFree(signal: AbortSignal | undefined): Promise<void> {
		for (;;) {
			const now = this.clock.now();
			const blockedMs = this.pausedUntil - now;
			if (blockedMs > MAX_BLOCKED_MS) {
				throw new AccountBlockedError(blockedMs);
			}

			const freeAt = this.nextFreeAt();
			if (freeAt <= now) {
				return;
			}

			const timer = new AbortController();
			const waits = [new Promise<void>((resolve) => (this.wake = resolve))];
			if (freeAt < Infinity) {
				waits.push(this.clock.wait(freeAt - now, timer.signal));
			}

			await abortable(Promise.race(waits), signal).finally(() => {
				timer.abort();
			});
		}
	}

	/** When the next request may be sent; Infinity when only an answer can tell. */
	private nextFreeAt(): number {
		this.freeSlots();
		if (this.inFlight >= this.maxInFlight()) {
			return Infinity;
		}
		return Math.max(this.pausedUntil, this.spacedUntil(), this.occupiedUntil());
	}

	/** After one that was not let in, one request at a time tries whether the service takes requests again. */
	private maxInFlight(): number {
		if (this.turnedAway > 0) {
			return 1;
		}
		const { requests, windowMs } = this.limit;
		return Math.max(MIN_IN_FLIGHT, (requests / windowMs) * IN_FLIGHT_MS);
	}

	/** An account that was slowed down sends its requests one by one, at equal distances. */
	private spacedUntil(): number {
		if (this.speed >= 1) {
			return -Infinity;
		}
		const { requests, windowMs } = this.limit;
		return this.lastSentAt + windowMs / requests / this.speed;
	}

	/** A request occupies its slot for one window after its answer, so one without an answer has no end yet. */
	private occupiedUntil(): number {
		const { requests, windowMs } = this.limit;
		// So many of the oldest answers have to leave the window before one more request may be sent.
		const tooMany = this.inFlight + this.answeredAt.length + 1 - requests;
		if (tooMany <= 0) {
			return -Infinity;
		}
		const lastToLeave = this.answeredAt[tooMany - 1];
		return lastToLeave === undefined ? Infinity : lastToLeave + windowMs + MARGIN_MS;
	}

	private release(sentAt: number, sent: SentRequest | undefined): void {
		const now = this.clock.now();
		this.inFlight -= 1;
		if (sent !== undefined) {
			this.answeredAt.push(now);
		}

		const isNewer = sentAt > this.slowedAt;
		if (sent?.status === 429) {
			if (isNewer) {
				this.turnedAway += 1;
				this.speed = Math.max(MIN_SPEED, this.speed / 2);
				this.slowedAt = now;
			}

			const { retryAfterMs = pauseAfter(this.turnedAway) } = sent;
			this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		} else if (sent?.status !== undefined && isNewer) {
			this.turnedAway = 0;
			this.speed = Math.min(1, this.speed + SPEED_STEP);
		}
		this.wake();
	}

	private freeSlots(): void {
		const occupiedSince = this.clock.now() - this.limit.windowMs - MARGIN_MS;
		const firstOccupied = this.answeredAt.findIndex((time) => time > occupiedSince);
		this.answeredAt.splice(0, firstOccupied < 0 ? this.answeredAt.length : firstOccupied);
	}
}

/** Doubles with each one in a row, with a jitter, so that processes do not come back at the same time. */
const pauseAfter = (turnedAway: number): number =>
	Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (turnedAway - 1)) * (1 + Math.random() / 10);

const limitersOfProcess = new Map<string, RateLimiter>();

/**
 * The rate limiter that all executions of this process share for an account. Look it up for each request:
 * an unused one is forgotten after a window. The latest limit applies to all.
 */
export function rateLimiterFor(
	account: string,
	limit: RateLimit,
	clock: Clock,
	limiters = limitersOfProcess,
): RateLimiter {
	const existing = limiters.get(account);
	if (existing !== undefined && !existing.isIdle) {
		existing.adjust(limit);
		return existing;
	}

	for (const [name, limiter] of limiters) {
		if (limiter.isIdle) {
			limiters.delete(name);
		}
	}

	const limiter = new RateLimiter(clock, limit);
	limiters.set(account, limiter);
	return limiter;
}
