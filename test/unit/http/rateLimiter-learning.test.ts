import { type RateLimit, UNLIMITED } from '../../../nodes/PartnerPayments/service/http/rateLimit';
import {
	RateLimiter,
	rateLimiterFor,
} from '../../../nodes/PartnerPayments/service/http/rateLimiter';
import { LearnedLimit } from '../../../nodes/PartnerPayments/service/http/learnedLimit';
import { FakeClock } from './fakeClock';
import { MINUTE, STANDARD } from './limitedAccount';

/** What 100 payouts need: two requests each, two fundings, and the wallet. */
const REQUESTS = 203;
const LEAST_MS = 12_000;
const LANES = 64;

/** A service that allows so many requests in any window, and says in whole seconds when it takes the next. */
class LimitedService {
	readonly clock = new FakeClock();
	refused = 0;
	/** One in so many is refused for another reason than the limit. */
	refusesEach = Infinity;
	/** How much longer than others a request may travel, so that later ones overtake it. */
	jitterMs = 0;
	private asked = 0;
	private readonly accepted: number[] = [];

	allowed: RateLimit = { requests: 100, windowMs: 6000 };
	private readonly saysWhen: boolean;

	constructor({ saysWhen = true } = {}) {
		this.saysWhen = saysWhen;
	}

	answer(): { status: number; retryAfterMs?: number } {
		const now = this.clock.now();
		this.asked += 1;
		if (this.asked % this.refusesEach === 0) return { status: 429, retryAfterMs: 1000 };
		const blocking = this.accepted.at(-this.allowed.requests);
		const waitMs = blocking === undefined ? 0 : blocking + this.allowed.windowMs - now;
		if (waitMs <= 0) {
			this.accepted.push(now);
			return { status: 200 };
		}
		this.refused += 1;
		const retryAfterMs = Math.ceil(waitMs / 1000) * 1000;
		return { status: 429, ...(this.saysWhen && { retryAfterMs }) };
	}

	/** Sends requests of one process, each until it is let in. */
	async sendAll(
		limiter: RateLimiter,
		count: number,
		latencyMs: number,
		lanes: number,
	): Promise<void> {
		let left = count;
		const lane = async (): Promise<void> => {
			while (left > 0) {
				left -= 1;
				for (let status = 0; status !== 200;) {
					const slot = await limiter.acquire();
					await this.clock.wait(latencyMs / 2 + (this.jitterMs * ((left * 7) % 10)) / 10);
					const answer = this.answer();
					await this.clock.wait(latencyMs / 2);
					limiter.release(slot, answer);
					({ status } = answer);
				}
			}
		};
		await Promise.all(Array.from({ length: lanes }, lane));
	}
}

/** Sends requests of several processes at once; returns how long that takes each of them. */
async function measureEach(
	service: LimitedService,
	limiters: RateLimiter[],
	{ count = REQUESTS, latencyMs = 10, lanes = LANES } = {},
): Promise<number[]> {
	const { clock } = service;
	const startedAt = clock.now();
	const sending = limiters.map(async (limiter) => {
		await service.sendAll(limiter, count, latencyMs, lanes);
		return clock.now() - startedAt;
	});
	await clock.advance();
	return await Promise.all(sending);
}

/** The same; returns how long that takes all of them. */
const measure = async (...given: Parameters<typeof measureEach>): Promise<number> =>
	Math.max(...(await measureEach(...given)));

describe('an account that allows 100 requests in 6 s', () => {
	test.each<[requests: number, windowMs: number, latencyMs: number, jitterMs: number]>([
		[101, 6000, 10, 0],
		[120, 6000, 10, 0],
		[200, 6000, 10, 0],
		[200, 6000, 10, 20],
		[200, 6000, 10, 100],
		[200, 6000, 150, 0],
		[1000, 6000, 10, 0],
		[1000, MINUTE, 10, 0],
		[1_000_000, MINUTE, 10, 0],
		[1_000_000, MINUTE, 150, 0],
	])(
		'is learned where %i in %i ms are stated, and answers take %i ms and up to %i more #limit-learned',
		async (requests, windowMs, latencyMs, jitterMs) => {
			for (const saysWhen of jitterMs === 0 && requests === 200 ? [true, false] : [true]) {
				const service = new LimitedService({ saysWhen });
				service.jitterMs = jitterMs;
				const limiter = new RateLimiter(service.clock, { requests, windowMs });
				const timeMs = await measure(service, [limiter], { latencyMs });
				expect(service.refused).toBeLessThanOrEqual(20);
				expect(timeMs).toBeLessThanOrEqual(LEAST_MS * 1.2);
			}
		},
	);

	test('is remembered by the next execution', async () => {
		const service = new LimitedService();
		const limiters = new Map<string, RateLimiter>();
		const stated = { requests: 200, windowMs: 6000 };
		const find = () => rateLimiterFor('account', stated, service.clock, limiters);
		await measure(service, [find()]);
		await service.clock.advance(service.clock.now() + MINUTE);
		service.refused = 0;
		await measure(service, [find()], { count: 100 });
		expect(service.refused).toBeLessThanOrEqual(5);
	});

	test('is used wholly again when it allows more', async () => {
		const service = new LimitedService();
		const limiter = new RateLimiter(service.clock, { requests: 150, windowMs: 6000 });
		await measure(service, [limiter]);
		service.allowed = { ...service.allowed, requests: 150 };
		await measure(service, [limiter], { count: 4000 });
		service.refused = 0;
		const timeMs = await measure(service, [limiter], { count: 1501 });
		expect(timeMs).toBeLessThanOrEqual(60_000 * 1.1);
	});

	test.each([100, 200, 1000])('is shared by two processes that are told %i', async (requests) => {
		const service = new LimitedService();
		const limiters = [0, 1].map(() => new RateLimiter(service.clock, { requests, windowMs: 6000 }));
		const timeMs = await measure(service, limiters);
		expect(service.refused).toBeLessThanOrEqual(100);
		expect(timeMs).toBeLessThanOrEqual(2 * LEAST_MS * 1.3);
	});
});

test('an account is shared fairly by three processes, and used almost wholly', async () => {
	const service = new LimitedService();
	service.allowed = STANDARD;
	const limiters = [0, 1, 2].map(() => new RateLimiter(service.clock, STANDARD));
	const times = await measureEach(service, limiters, { count: 600, latencyMs: 50, lanes: 10 });
	expect(Math.min(...times)).toBeGreaterThan(Math.max(...times) * 0.7);
	expect(Math.max(...times)).toBeLessThan((18 * MINUTE) / 0.85);
	expect(service.refused).toBeLessThan(1800 * 0.4);
});

describe.each([1, 4, 16, LANES])(
	'a service that refuses now and then, %i requests at once',
	(lanes) => {
		test.each([
			[30, 10],
			[45, 10],
			[60, 10],
			[45, 150],
		])(
			'one in %i, with answers in %i ms: is not taken for one that allows few #limit-not-learned',
			async (...given) => {
				const [refusesEach, latencyMs] = given;
				const service = new LimitedService();
				service.allowed = { requests: 100_000, windowMs: MINUTE };
				service.refusesEach = refusesEach;
				const limiter = new RateLimiter(service.clock, service.allowed);
				const count = 2000;
				const timeMs = await measure(service, [limiter], { count, latencyMs, lanes });
				// Each refusal asks for a second without requests.
				const leastMs = (count / refusesEach) * 1000 + (count / lanes) * latencyMs;
				expect(timeMs).toBeLessThanOrEqual(leastMs * 1.5);
			},
		);
	},
);

test('a server without a limit that refuses a burst of one moment is asked again', () => {
	const learned = new LearnedLimit();
	for (let request = 0; request < 50; request += 1)
		learned.recordSuccess({ sentAt: 0, order: request }, 0, UNLIMITED);
	for (const order of [50, 51, 52, 53])
		expect(learned.recordRateLimited({ sentAt: 0, order }, 0, UNLIMITED, 0)).toBe(true);
	const { requests, windowMs } = learned.apply(UNLIMITED);
	expect(requests).toBe(47);
	expect(windowMs).toBeGreaterThan(0);
});

test('a refusal when less was let in than is documented is taken for the use by others', () => {
	const learned = new LearnedLimit();
	const stated = { requests: 1000, windowMs: 60_000 };
	const now = 59_000;
	for (let request = 0; request < 59; request += 1) {
		const sentAt = request * 1000;
		learned.recordSuccess({ sentAt, order: request }, sentAt, stated);
	}
	expect(learned.recordRateLimited({ sentAt: now, order: 59 }, now, stated, 1000)).toBe(false);
	expect(learned.apply(stated)).toEqual(stated);
});
