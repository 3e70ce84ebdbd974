import {
	type RateLimit,
	RateLimiter,
	type SentRequest,
} from '../../../nodes/PartnerPayments/api/http/rateLimiter';
import { FakeClock } from './fakeClock';

export const MINUTE = 60_000;
export const STANDARD: RateLimit = { requests: 100, windowMs: MINUTE };
export const TOO_MANY: SentRequest = { status: 429 };

/** How a request travels, in milliseconds, and what comes of it. */
interface Journey {
	outboundMs?: number;
	returnMs?: number;
	outcome?: SentRequest;
	signal?: AbortSignal;
}

/** An account behind a rate limiter, and a service that notes when requests arrive. */
export class LimitedAccount {
	readonly clock = new FakeClock();
	readonly limiter: RateLimiter;
	/** When requests were sent, in the order in which they acquired a slot. */
	readonly sentAt: number[] = [];
	/** When the service received them. */
	readonly arrivedAt: number[] = [];

	constructor(limit: Partial<RateLimit> = {}) {
		this.limiter = new RateLimiter(this.clock, { ...STANDARD, ...limit });
	}

	/** Sends one request; an outcome without a status means that no answer came. */
	async send({ outboundMs = 0, returnMs = 0, outcome = { status: 200 }, signal }: Journey = {}) {
		const release = await this.limiter.acquire(signal);
		this.sentAt.push(this.clock.now());
		await this.clock.wait(outboundMs);
		this.arrivedAt.push(this.clock.now());
		await this.clock.wait(returnMs);
		release(outcome);
	}

	/** Sends many at once, and lets time pass until all are answered. */
	async sendAll(count: number, journey?: Journey): Promise<void> {
		const all = Array.from({ length: count }, async () => {
			await this.send(journey);
		});
		await this.clock.advance();
		await Promise.all(all);
	}

	/** The most requests that the service received in any window of this length. */
	maxArrivalsIn(windowMs: number): number {
		const times = [...this.arrivedAt].sort((one, other) => one - other);
		let first = 0;
		let max = 0;
		for (const [position, time] of times.entries()) {
			while (time - (times[first] ?? time) >= windowMs) {
				first += 1;
			}

			max = Math.max(max, position - first + 1);
		}

		return max;
	}
}
