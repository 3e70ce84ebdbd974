import { type RateLimit, RateLimiter } from '../../../nodes/PartnerPayments/api/http/rateLimiter';
import { FakeClock } from './fakeClock';
import { MINUTE, STANDARD } from './limitedAccount';

/** A service that allows so many requests in any window, and says in whole seconds when it takes the next. */
class LimitedService {
	readonly clock = new FakeClock();
	refused = 0;
	private readonly accepted: number[] = [];

	constructor(private readonly allowed: RateLimit) {}

	/** Sends requests of one process, each until it is let in; returns how long that takes. */
	async sendAll(limiter: RateLimiter, count: number, lanes: number): Promise<number> {
		const startedAt = this.clock.now();
		let left = count;
		const lane = async (): Promise<void> => {
			while (left > 0) {
				left -= 1;
				for (let status = 0; status !== 200;) {
					const slot = await limiter.acquire();
					await this.clock.wait(25);
					const answer = this.answer();
					await this.clock.wait(25);
					limiter.release(slot, answer);
					({ status } = answer);
				}
			}
		};
		await Promise.all(Array.from({ length: lanes }, lane));
		return this.clock.now() - startedAt;
	}

	private answer(): { status: number; retryAfterMs?: number } {
		const now = this.clock.now();
		const blocking = this.accepted.at(-this.allowed.requests);
		const waitMs = blocking === undefined ? 0 : blocking + this.allowed.windowMs - now;
		if (waitMs <= 0) {
			this.accepted.push(now);
			return { status: 200 };
		}
		this.refused += 1;
		return { status: 429, retryAfterMs: Math.ceil(waitMs / 1000) * 1000 };
	}
}

test('an account is shared fairly by three processes, and used almost wholly', async () => {
	const service = new LimitedService(STANDARD);
	const sending = [0, 1, 2].map(
		async () => await service.sendAll(new RateLimiter(service.clock, STANDARD), 600, 10),
	);
	await service.clock.advance();
	const times = await Promise.all(sending);
	expect(Math.min(...times)).toBeGreaterThan(Math.max(...times) * 0.7);
	expect(Math.max(...times)).toBeLessThan((18 * MINUTE) / 0.85);
	expect(service.refused).toBeLessThan(1800 * 0.4);
});

test.each([120, 200, 1000])(
	'an account that allows 100 where the credential says %i gets everything through #limit-too-high',
	async (requests) => {
		const service = new LimitedService({ requests: 100, windowMs: 6000 });
		const limiter = new RateLimiter(service.clock, { requests, windowMs: 6000 });
		const sending = service.sendAll(limiter, 1000, 64);
		await service.clock.advance();
		expect(await sending).toBeLessThanOrEqual(60_000 * 1.5);
	},
);
