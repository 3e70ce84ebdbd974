import type { Effect } from './request';
import type { Clock } from './clock';
import type { NetworkFailure } from './networkFailure';

/** What came of sending a request once. */
export type Attempt = Answered | { failure: NetworkFailure };

interface Answered {
	status: number;
	/** How long the service asked to wait, where it did. */
	retryAfterMs?: number | undefined;
}

/** What an attempt says of the request. */
export type Meaning =
	| 'accepted'
	/** Other requests are in its way. */
	| 'tooMany'
	/** It never left. */
	| 'neverSent'
	/** The service may have done it. */
	| 'unanswered'
	| 'refused';

/** After a connection that did not open or broke, and after an error of the service's own. */
const FAILURE = { most: 4, firstMs: 500, longestMs: 4000 };
/** After a 429 that does not say how long to wait. */
const TOO_MANY = { firstMs: 1000, longestMs: 30_000 };
/** How long a request is sent again that gets nothing but 429. */
const PATIENCE_MS = 15 * 60_000;

export function meaningOf(attempt: Attempt): Meaning {
	if ('failure' in attempt) return attempt.failure.neverSent ? 'neverSent' : 'unanswered';
	const { status } = attempt;
	if (status === 429) return 'tooMany';
	if (status >= 500) return 'unanswered';
	return status >= 200 && status < 300 ? 'accepted' : 'refused';
}

/**
 * Decides whether a call is sent again, and when.
 *
 * What the service did not let in, and what never reached it, is sent again whatever it does. What may
 * have reached it is sent again only when that has no second effect.
 */
export class Retries {
	private failures = 0;
	private refusals = 0;
	private refusedSince = 0;

	constructor(
		private readonly effect: Effect,
		private readonly clock: Clock,
	) {}

	/**
	 * @param attempt the latest one
	 * @returns milliseconds to wait before the next one, beside what the pace of the account asks for;
	 *   undefined when there is none
	 */
	delayAfter(attempt: Attempt): number | undefined {
		const meaning = meaningOf(attempt);
		if (meaning === 'tooMany' && 'status' in attempt) {
			return this.afterTooMany(attempt.retryAfterMs);
		}
		const mayRepeat =
			meaning === 'neverSent' || (meaning === 'unanswered' && this.effect !== 'creates');
		const isCurable = !('failure' in attempt) || attempt.failure.passing;
		if (!mayRepeat || !isCurable || this.failures === FAILURE.most) return undefined;
		this.failures += 1;
		return backoff(FAILURE, this.failures);
	}

	/** The time that the service asked for is kept by the pace of the account. */
	private afterTooMany(retryAfterMs: number | undefined): number | undefined {
		const now = this.clock.now();
		if (this.refusals === 0) this.refusedSince = now;
		this.refusals += 1;
		if (now - this.refusedSince > PATIENCE_MS) return undefined;
		return retryAfterMs === undefined ? backoff(TOO_MANY, this.refusals) : 0;
	}
}

/** Doubles from one time to the next, up to the longest, and varies by half. */
function backoff({ firstMs, longestMs }: { firstMs: number; longestMs: number }, time: number) {
	const ms = Math.min(longestMs, firstMs * 2 ** (time - 1));
	return ms * (0.5 + Math.random());
}
