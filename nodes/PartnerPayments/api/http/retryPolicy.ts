import { classify, consequenceOf, type AttemptResult } from './outcome';
import type { Clock } from './clock';
import type { Semantics } from './message';

/** After a connection that did not open or broke, and after an error of the service's own. */
const MAX_RETRIES = 4;
const FAILURE_BACKOFF = { firstMs: 500, maxMs: 4000 };
/** After a 429 that does not say how long to wait. */
const RATE_LIMIT_BACKOFF = { firstMs: 1000, maxMs: 30_000 };
/** How long a request is repeated that gets nothing but 429. */
const RATE_LIMIT_PATIENCE_MS = 15 * 60_000;

/**
 * Decides whether and when one request is sent again.
 *
 * What the service did not let in, and what never reached it, is repeated whatever the request does.
 * What may have reached it is repeated only when that has no second effect.
 */
export class RetryPolicy {
	private retries = 0;
	private rateLimited = 0;
	private rateLimitedSince = 0;

	constructor(
		private readonly semantics: Semantics,
		private readonly clock: Clock,
	) {}

	/**
	 * @param result of the latest attempt
	 * @returns milliseconds to wait before the next one, beside what the account's rate limiter asks
	 *   for; undefined when there is none
	 */
	delayAfter(result: AttemptResult): number | undefined {
		const answer = classify(result);
		if (answer === 'rateLimited') return this.delayAfterRateLimit(result);
		if (answer === 'success' || !consequenceOf(answer, this.semantics).retry) return undefined;
		if (this.retries === MAX_RETRIES) return undefined;
		this.retries += 1;
		return backoff(FAILURE_BACKOFF, this.retries);
	}

	private delayAfterRateLimit(result: AttemptResult): number | undefined {
		const now = this.clock.now();
		if (this.rateLimited === 0) this.rateLimitedSince = now;
		this.rateLimited += 1;
		if (now - this.rateLimitedSince > RATE_LIMIT_PATIENCE_MS) return undefined;
		// The rate limiter keeps the time that the service asked for.
		const isTimeKnown = 'retryAfterMs' in result && result.retryAfterMs !== undefined;
		return isTimeKnown ? 0 : backoff(RATE_LIMIT_BACKOFF, this.rateLimited);
	}
}

/** Doubles from one retry to the next, up to a maximum, with a jitter of half. */
function backoff({ firstMs, maxMs }: { firstMs: number; maxMs: number }, retry: number): number {
	return Math.min(maxMs, firstMs * 2 ** (retry - 1)) * (0.5 + Math.random());
}

/** Nobody is asked to wait for longer: such a value is a mistake, or an attack. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * How many milliseconds an answer asks to wait (RFC 9110 §10.2.3): Retry-After has seconds or a date.
 * More than an hour is read as none.
 */
export function retryAfterMs(
	headers: Record<string, unknown>,
	today = Date.now(),
): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const seconds = Number(value);
	// Compared with the service's own clock where it is known, since this machine's may be wrong.
	const sentAt = typeof headers.date === 'string' ? Date.parse(headers.date) : NaN;
	const waitMs = Number.isFinite(seconds)
		? seconds * 1000
		: Date.parse(value) - (Number.isNaN(sentAt) ? today : sentAt);
	return waitMs <= MAX_RETRY_AFTER_MS ? Math.max(0, waitMs) : undefined;
}
