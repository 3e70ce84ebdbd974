import { STANDARD_LIMIT, type RateLimit } from './rateLimit';

/** The permission to send one request. */
export interface Slot {
	/** When it was given, in milliseconds of the clock. */
	readonly sentAt: number;
	/** How many were given before it. */
	readonly order: number;
}

/** No window is shorter, so that a limit without bounds cannot be divided by none. */
const MIN_WINDOW_MS = 1;
/** Fewer requests that were let in say that others use the account, and not how much it allows. */
const MIN_SAMPLE = 25;
/** The same where the service does not say when it takes the next request. */
const MIN_SAMPLE_WITHOUT_TIME = 50;
/** So many more refusals are enough, whatever comes next. */
const MIN_CONFIRMATIONS = 3;
/** The part of what was let in that is used from then on, so that others get a share. */
const USED_PART = 0.95;
/** How much more is tried after a window without a refusal; twice as much after the next one. */
const RAISE_PART = 0.02;
/** Requests that may be in flight beyond what the account has allowed before: so many are refused at worst. */
const MIN_PROBES = 16;
/** The same as a part of what it has allowed. */
const PROBES_PART = 1 / 8;
const KEPT_FOR_MS = 60 * 60_000;

interface Learned extends RateLimit {
	/** When it was learned, in milliseconds of the clock. */
	at: number;
	/** How many were let in since then. */
	letInSince: number;
}

/** What a refusal may tell. */
interface Supposed extends Learned {
	/** The refused request. */
	refused: Slot;
	/** Of the requests sent after that one, until it was known: how many more were refused than let in. */
	confirmations: number;
}

/**
 * What an account really allows, which may be less than its credential says.
 *
 * A 429 after many requests of a window tells the limit: it is what was let in. From then on a little
 * less is used, and more from window to window, until the next 429. The time that the service
 * asks to wait tells how long its window is, which is never taken to be so short that requests would
 * come faster than the credential says.
 *
 * A service may answer 429 for another reason. A limit that is reached refuses what is sent next as
 * well: where that was let in, or less would be allowed than is documented, nothing is learned.
 */
export class LearnedLimit {
	/** Those of the latest window that were let in. */
	private letIn: Slot[] = [];
	private learned: Learned | undefined;
	/** Until a request is let in that was sent after the refusal was known. */
	private supposed: Supposed | undefined;
	private mostAllowed = STANDARD_LIMIT.requests;

	/** The limit to keep instead of the stated one. */
	apply(stated: RateLimit): RateLimit {
		if (this.learned === undefined) return stated;
		const { requests, windowMs, letInSince } = this.learned;
		const windows = Math.floor(letInSince / requests);
		const raised = requests * (1 + RAISE_PART * (2 ** windows - 1));
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
			this.letIn.length + inFlight < this.mostAllowed ||
			inFlight < Math.max(MIN_PROBES, this.mostAllowed * PROBES_PART)
		);
	}

	/**
	 * A request was let in.
	 *
	 * @returns whether that tells that the latest 429 was of something else than the account's limit
	 */
	recordSuccess(slot: Slot, now: number, stated: RateLimit): boolean {
		this.letIn.push(slot);
		this.forgetBefore(now - this.apply(stated).windowMs);
		this.mostAllowed = Math.max(this.mostAllowed, this.letIn.length);
		if (this.learned !== undefined && slot.sentAt > this.learned.at) this.learned.letInSince += 1;
		const { supposed } = this;
		if (supposed === undefined) return false;
		if (slot.sentAt <= supposed.at) {
			supposed.requests += USED_PART;
			if (slot.order > supposed.refused.order) supposed.confirmations -= 1;
			return false;
		}
		this.supposed = undefined;
		if (supposed.confirmations <= 0) return true;
		this.learned = supposed;
		return false;
	}

	/**
	 * A request was answered with 429.
	 *
	 * @param retryAfterMs for how long the service wants no requests, where it said so
	 * @returns whether that tells the limit; otherwise others use the account as well
	 */
	recordRateLimited(
		slot: Slot,
		now: number,
		stated: RateLimit,
		retryAfterMs: number | undefined,
	): boolean {
		const { supposed } = this;
		if (supposed !== undefined && slot.sentAt <= supposed.at) {
			if (slot.order > supposed.refused.order) supposed.confirmations += 1;
			if (supposed.confirmations >= MIN_CONFIRMATIONS) this.learned = supposed;
			return true;
		}
		if (this.learned !== undefined && slot.sentAt <= this.learned.at) return true;
		const known = this.apply(stated);
		this.forgetBefore(now - known.windowMs);
		const { length } = this.letIn;
		const isTimeKnown = retryAfterMs !== undefined;
		if (length < (isTimeKnown ? MIN_SAMPLE : MIN_SAMPLE_WITHOUT_TIME)) return false;
		const requests = length * USED_PART;
		const windowMs = isTimeKnown
			? this.windowMs(now + retryAfterMs, stated, requests)
			: known.windowMs;
		if (length / windowMs < STANDARD_LIMIT.requests / STANDARD_LIMIT.windowMs) return false;
		this.mostAllowed = length;
		this.supposed = {
			requests,
			windowMs,
			at: now,
			letInSince: 0,
			refused: slot,
			confirmations: -this.letIn.filter(({ order }) => order > slot.order).length,
		};
		return true;
	}

	/** The window that ends when the service takes requests again: its first one is then over. */
	private windowMs(end: number, stated: RateLimit, requests: number): number {
		const shortestMs = (requests / stated.requests) * stated.windowMs;
		const firstAt = this.letIn[0]?.sentAt ?? end;
		return Math.min(stated.windowMs, Math.max(MIN_WINDOW_MS, shortestMs, end - firstAt));
	}

	private forgetBefore(time: number): void {
		const first = this.letIn.findIndex(({ sentAt }) => sentAt > time);
		this.letIn.splice(0, first < 0 ? this.letIn.length : first);
	}
}
