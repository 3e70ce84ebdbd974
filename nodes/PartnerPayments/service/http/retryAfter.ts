/**
 * How long an answer asks to wait.
 *
 * @param headers of the answer, their names in lower case; Retry-After holds seconds or a date
 * @param today milliseconds since 1970, for a date in an answer that has none of its own
 * @returns milliseconds, or undefined when it does not ask
 */
export function retryAfterMs(
	headers: Record<string, unknown>,
	today = Date.now(),
): number | undefined {
	const asked = headers['retry-after'];
	if (typeof asked !== 'string' || asked.trim() === '') return undefined;
	const seconds = Number(asked);
	if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
	// Compared with the service's own clock where it is known, since this machine's may be wrong.
	const from = typeof headers.date === 'string' ? Date.parse(headers.date) : NaN;
	const wait = Date.parse(asked) - (Number.isNaN(from) ? today : from);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
