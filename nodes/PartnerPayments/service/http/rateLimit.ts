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
