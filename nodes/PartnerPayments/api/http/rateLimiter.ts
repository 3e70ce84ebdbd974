import { onAbort } from '../../shared/concurrency';
import type { Clock } from './clock';

/** So many requests in any window of that length. */
export interface RateLimit {
	requests: number;
	windowMs: number;
}

/** What the service documents that every account is allowed. */
export const STANDARD_LIMIT: RateLimit = { requests: 100, windowMs: 60_000 };

/** No limit: of servers that only hold documents. */
export const UNLIMITED: RateLimit = { requests: Infinity, windowMs: 60_000 };

/** The limit of an account as its credential states it; the standard one in place of nonsense. */
export function rateLimitOf(credentials: Record<string, unknown>): RateLimit {
	const requests = Math.floor(Number(credentials.requestsPerMinute));
	const seconds = Number(credentials.rateWindowSeconds);
	const isWindow = seconds > 0 && Number.isFinite(seconds);
	return {
		requests: requests >= 1 && Number.isFinite(requests) ? requests : STANDARD_LIMIT.requests,
		windowMs: isWindow ? seconds * 1000 : STANDARD_LIMIT.windowMs,
	};
}

/** What came of a request that was sent in a slot; without a status it got no answer. */
export interface SentRequest {
	status?: number;
	/** For how long the service wants no requests, where it said so. */
	retryAfterMs?: number | undefined;
}

/** The service wants no requests for longer than anybody waits. */
export class AccountBlockedError extends Error {
	constructor(readonly forMs: number) {
		super('The service wants no requests');
	}
}

export interface Slot {
	/** When it was given, in milliseconds of the clock. */
	readonly sentAt: number;
}

interface Waiter {
	resolve: (slot: Slot) => void;
	reject: (reason: Error) => void;
}

// The clocks of two machines do not run alike, and timestamps are rounded.
const MARGIN_MS = 10;
const MAX_BLOCKED_MS = 15 * 60_000;

const MIN_SPEED = 1 / 8;
const SPEED_STEP = 1 / 100;

/**
 * How far below its limit an account is used, since other processes may use it as well.
 *
 * At full speed what the limit allows is sent at once. Each 429 halves the speed, down to an eighth, and
 * requests then keep a distance; each request that is let in raises it by a hundredth. Several processes
 * find their shares that way. Only requests that were sent after the latest slow-down count, so that the
 * many answers to one burst do not slow down again and again.
 */
export class AdaptiveThrottle {
	/** Until when the service wants no requests, in milliseconds of the clock. */
	blockedUntil = -Infinity;
	private speed = 1;
	private slowedAt = -Infinity;

	/** A request was let in. `sentAt` is when it was sent, in milliseconds of the clock. */
	recordSuccess(sentAt: number): void {
		if (sentAt > this.slowedAt) this.speed = Math.min(1, this.speed + SPEED_STEP);
	}

	/** A request was answered with 429, which may say for how long the service wants no requests. */
	recordRateLimited(sentAt: number, now: number, retryAfterMs = 0): void {
		this.blockedUntil = Math.max(this.blockedUntil, now + retryAfterMs);
		if (sentAt <= this.slowedAt) return;
		this.speed = Math.max(MIN_SPEED, this.speed / 2);
		this.slowedAt = now;
	}

	/** When the next request may be sent; `gapMs` is the mean distance of requests at full speed. */
	nextAllowedAt(lastSentAt: number, gapMs: number): number {
		const spacedAt = this.speed < 1 ? lastSentAt + gapMs / this.speed : -Infinity;
		return Math.max(this.blockedUntil, spacedAt);
	}
}

/**
 * Keeps the requests of one account within its limit, as the service sees it.
 *
 * A request reaches the service at some time between its sending and its answer. So its slot is
 * occupied from its sending until a whole window after its answer: however long requests travel, no
 * window of the service's sees more of them than the limit allows. Waiting requests are served in
 * their order, all by a single timer.
 */
export class RateLimiter {
	private readonly waiters = new Set<Waiter>();
	private readonly throttle = new AdaptiveThrottle();
	/** When the requests were answered that still occupy a slot, in their order. */
	private readonly answeredAt: number[] = [];
	private inFlight = 0;
	private lastSentAt = -Infinity;
	private timer: { at: number; abort: AbortController } | undefined;

	constructor(
		private readonly clock: Clock,
		private limit: RateLimit,
	) {}

	adjust(limit: RateLimit): void {
		this.limit = limit;
		this.serve();
	}

	/**
	 * Waits for a slot, which must be released.
	 *
	 * @param signal ends the waiting at once when it aborts; its reason is the error's cause
	 * @throws AccountBlockedError when the service wants no requests for longer than anybody waits
	 */
	async acquire(signal?: AbortSignal): Promise<Slot> {
		signal?.throwIfAborted();
		let unsubscribe: (() => void) | undefined;
		const slot = new Promise<Slot>((resolve, reject) => {
			const waiter = { resolve, reject };
			this.waiters.add(waiter);
			unsubscribe =
				signal &&
				onAbort(signal, () => {
					this.waiters.delete(waiter);
					this.serve();
					reject(new Error('The waiting was cancelled', { cause: signal.reason }));
				});
			this.serve();
		});
		return await slot.finally(unsubscribe);
	}

	/** Releases a slot when its request has ended; `sent` is undefined when none was sent. */
	release(slot: Slot, sent: SentRequest | undefined): void {
		const now = this.clock.now();
		this.inFlight -= 1;
		if (sent !== undefined) this.answeredAt.push(now);
		if (sent?.status === 429) {
			this.throttle.recordRateLimited(slot.sentAt, now, sent.retryAfterMs);
		} else if (sent?.status !== undefined) {
			this.throttle.recordSuccess(slot.sentAt);
		}
		this.serve();
	}

	/** Whether nothing would be lost if this were forgotten. */
	get isIdle(): boolean {
		this.freeSlots();
		const now = this.clock.now();
		const isUsed = this.waiters.size + this.inFlight + this.answeredAt.length > 0;
		return !isUsed && this.throttle.blockedUntil <= now;
	}

	/** Gives out the slots that are free, and sets the timer for the next one. */
	private serve(): void {
		const now = this.clock.now();
		this.freeSlots();
		const { blockedUntil } = this.throttle;
		const isClosed = blockedUntil - now > MAX_BLOCKED_MS;
		for (const waiter of this.waiters) {
			if (isClosed) {
				waiter.reject(new AccountBlockedError(blockedUntil - now));
			} else {
				const nextAt = this.nextSlotAt();
				if (nextAt > now) {
					this.wakeAt(nextAt);
					return;
				}
				this.inFlight += 1;
				this.lastSentAt = now;
				waiter.resolve({ sentAt: now });
			}
			this.waiters.delete(waiter);
		}
		this.wakeAt(Infinity);
	}

	private freeSlots(): void {
		const now = this.clock.now();
		const occupiedMs = this.limit.windowMs + MARGIN_MS;
		const firstOccupied = this.answeredAt.findIndex((time) => time + occupiedMs > now);
		this.answeredAt.splice(0, firstOccupied < 0 ? this.answeredAt.length : firstOccupied);
	}

	/** When the next request may be sent; Infinity when only an answer can tell. */
	private nextSlotAt(): number {
		const { requests, windowMs } = this.limit;
		const allowedAt = this.throttle.nextAllowedAt(this.lastSentAt, windowMs / requests);
		const excess = this.inFlight + this.answeredAt.length - requests;
		if (excess < 0) return allowedAt;
		return Math.max(allowedAt, (this.answeredAt[excess] ?? Infinity) + windowMs + MARGIN_MS);
	}

	private wakeAt(at: number): void {
		if (this.timer?.at === at) return;
		this.timer?.abort.abort();
		this.timer = undefined;
		if (at === Infinity) return;
		const abort = new AbortController();
		this.timer = { at, abort };
		this.clock.wait(at - this.clock.now(), abort.signal).then(
			() => {
				if (abort.signal.aborted) return;
				this.timer = undefined;
				this.serve();
			},
			() => undefined,
		);
	}
}

const limitersOfProcess = new Map<string, RateLimiter>();

/**
 * The rate limiter that all executions of this process share for an account. To be looked up anew
 * for each request: one that nobody has used for a whole window is forgotten.
 *
 * @param account names the account
 * @param limit the one that is stated last holds for all
 */
export function rateLimiterFor(
	account: string,
	limit: RateLimit,
	clock: Clock,
	limiters = limitersOfProcess,
): RateLimiter {
	const known = limiters.get(account);
	if (known !== undefined && !known.isIdle) {
		known.adjust(limit);
		return known;
	}
	for (const [name, limiter] of limiters) if (limiter.isIdle) limiters.delete(name);
	const limiter = new RateLimiter(clock, limit);
	limiters.set(account, limiter);
	return limiter;
}
