import type { Clock } from '../clock';
import { Refusal } from '../errors';

const WINDOW_MS = 60_000;

/** At most so many requests of one account in any 60 seconds. */
export class RateLimit {
	readonly #accepted = new Map<string, number[]>();

	/** @param requestsPerMinute per account; may be changed while running */
	constructor(
		private readonly clock: Clock,
		public requestsPerMinute: number,
	) {}

	/**
	 * Counts a request of the account.
	 * @throws Refusal 429 with Retry-After: whole seconds after which one more request is accepted.
	 * A refused request is not counted.
	 */
	count(account: string): void {
		const now = this.clock.milliseconds();
		const times = this.#accepted.get(account) ?? [];
		const recent = times.findIndex((time) => time > now - WINDOW_MS);
		times.splice(0, recent < 0 ? times.length : recent);
		this.#accepted.set(account, times);
		// The limit may have been lowered: the place frees up when enough of the oldest have left.
		const blocking = times[times.length - this.requestsPerMinute];
		if (blocking === undefined) {
			times.push(now);
			return;
		}
		const seconds = Math.max(1, Math.ceil((blocking + WINDOW_MS - now) / 1000));
		throw new Refusal(
			429,
			'rate_limited',
			`More than ${this.requestsPerMinute} requests in a minute. Try again in ${seconds} s.`,
			{ headers: { 'retry-after': String(seconds) } },
		);
	}

	/** Forgets every request that was counted. */
	clear(): void {
		this.#accepted.clear();
	}
}
