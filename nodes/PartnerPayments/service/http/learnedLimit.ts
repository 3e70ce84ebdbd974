import type { RateLimit } from './rateLimit';

/** No window is shorter, so that a limit without bounds cannot be divided by none. */
const MIN_WINDOW_MS = 1;
/** Fewer requests that were let in say that others use the account, and not how much it allows. */
const MIN_SAMPLE = 25;
/** The same where the service does not say when it takes the next request. */
const MIN_SAMPLE_WITHOUT_TIME = 50;
/** The part of what was let in that is used from then on, so that others get a share. */
const USED_PART = 0.95;
/** How much more is tried from one window to the next. */
const RAISE_PART = 0.02;
/** Every account is taken to allow so much, as the service documents. */
const DOCUMENTED_REQUESTS = 100;
/** Requests that may be in flight beyond what the account has allowed before: so many are refused at worst. */
const MIN_PROBES = 16;
/** The same as a part of what it has allowed. */
const PROBES_PART = 1 / 8;
const KEPT_FOR_MS = 60 * 60_000;

interface Learned extends RateLimit {
	/** When it was learned, in milliseconds of the clock. */
	at: number;
}

/**
 * What an account really allows, which may be less than its credential says.
 *
 * A 429 after many requests of a window tells the limit: it is what was let in. From then on a little
 * less is used, and a little more from window to window, until the next 429. The time that the service
 * asks to wait tells how long its window is, which is never taken to be so short that requests would
 * come faster than the credential says.
 */
export class LearnedLimit {
	/** When the requests of the latest window were sent that were let in. */
	private sentAt: number[] = [];
	private learned: Learned | undefined;
	private mostAllowed = DOCUMENTED_REQUESTS;

	/** The limit to keep instead of the stated one. */
	apply(stated: RateLimit, now: number): RateLimit {
		if (this.learned === undefined) return stated;
		const { requests, windowMs, at } = this.learned;
		const raised = requests * (1 + RAISE_PART * Math.floor((now - at) / windowMs));
		return {
			requests: Math.min(stated.requests, Math.floor(raised)),
			windowMs: Math.min(stated.windowMs, windowMs),
		};
	}

	/** Whether forgetting it would lose what was learned. */
	isKnown(now: number): boolean {
		return this.learned !== undefined && now - this.learned.at < KEPT_FOR_MS;
	}

	/**
	 * Whether another request may be in flight, since the account has allowed so many in a window before,
	 * or only few would be refused.
	 */
	allowsInFlight(inFlight: number): boolean {
		return (
			this.sentAt.length + inFlight < this.mostAllowed ||
			inFlight < Math.max(MIN_PROBES, this.mostAllowed * PROBES_PART)
		);
	}

	/** A request was let in. */
	recordSuccess(sentAt: number, now: number, stated: RateLimit): void {
		this.sentAt.push(sentAt);
		this.forgetBefore(now - this.apply(stated, now).windowMs);
		this.mostAllowed = Math.max(this.mostAllowed, this.sentAt.length);
		if (this.learned !== undefined && sentAt <= this.learned.at) this.learned.requests += USED_PART;
	}

	/**
	 * A request was answered with 429.
	 *
	 * @param retryAfterMs for how long the service wants no requests, where it said so
	 * @returns whether that tells the limit; otherwise others use the account as well
	 */
	recordRateLimited(
		sentAt: number,
		now: number,
		stated: RateLimit,
		retryAfterMs: number | undefined,
	): boolean {
		if (this.learned !== undefined && sentAt <= this.learned.at) return true;
		const known = this.apply(stated, now);
		this.forgetBefore(now - known.windowMs);
		const { length } = this.sentAt;
		const isTimeKnown = retryAfterMs !== undefined;
		if (length < (isTimeKnown ? MIN_SAMPLE : MIN_SAMPLE_WITHOUT_TIME)) return false;
		const requests = length * USED_PART;
		this.mostAllowed = length;
		this.learned = {
			requests,
			windowMs: isTimeKnown ? this.windowMs(now + retryAfterMs, stated, requests) : known.windowMs,
			at: now,
		};
		return true;
	}

	/** The window that ends when the service takes requests again: its first one is then over. */
	private windowMs(end: number, stated: RateLimit, requests: number): number {
		const shortestMs = (requests / stated.requests) * stated.windowMs;
		const [first = end] = this.sentAt;
		return Math.min(stated.windowMs, Math.max(MIN_WINDOW_MS, shortestMs, end - first));
	}

	private forgetBefore(time: number): void {
		const first = this.sentAt.findIndex((sentAt) => sentAt > time);
		this.sentAt.splice(0, first < 0 ? this.sentAt.length : first);
	}
}
