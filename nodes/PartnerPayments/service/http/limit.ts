/** So many requests in any window of that length. */
export interface Limit {
	requests: number;
	windowMs: number;
}

const STANDARD_REQUESTS = 100;
const STANDARD_SECONDS = 60;

/** No limit: of servers that only hold documents. */
export const UNLIMITED: Limit = { requests: Infinity, windowMs: STANDARD_SECONDS * 1000 };

/** The limit of an account as its credential states it; the standard one in place of nonsense. */
export function limitOf(credentials: Record<string, unknown>): Limit {
	const requests = Math.floor(Number(credentials.requestsPerMinute));
	const seconds = Number(credentials.rateWindowSeconds);
	return {
		requests: requests >= 1 && Number.isFinite(requests) ? requests : STANDARD_REQUESTS,
		windowMs: (seconds > 0 && Number.isFinite(seconds) ? seconds : STANDARD_SECONDS) * 1000,
	};
}
