import {
	AccountBlockedError,
	type RateLimit,
	RateLimiter,
} from '../../../nodes/PartnerPayments/api/http/rateLimiter';
import { rejectionOf } from '../support';
import { FakeClock } from './fakeClock';
import { LimitedAccount, MINUTE, TOO_MANY } from './limitedAccount';

const NOW = { ...TOO_MANY, retryAfterMs: 0 };

describe('a 429', () => {
	/** The gaps between requests, in milliseconds. */
	const gaps = (times: number[]): number[] =>
		times.slice(1).map((time, position) => time - (times[position] ?? 0));

	test('spaces requests, closer and closer until they are not spaced any more', async () => {
		const account = new LimitedAccount();
		await account.sendAll(1, { outcome: NOW });

		await account.sendAll(90);

		const [first = 0, ...others] = gaps(account.sentAt);

		expect(first).toBeCloseTo(1200);
		expect(others.every((gap, position) => gap <= (others[position - 1] ?? first))).toBe(true);
		expect(others.at(-1)).toBe(0);
	});

	test.each([
		['a request that was sent before it', { returnMs: 5, outcome: { status: 200 } }],
		['a request without an answer', { outcome: {} }],
	])('is not undone by %s', async (_, journey) => {
		const account = new LimitedAccount();
		const sent = [account.send({ outcome: NOW }), account.send(journey)];
		await account.clock.advance();
		await Promise.all(sent);

		await account.sendAll(2, { returnMs: 5000 });

		expect(gaps(account.sentAt)[1]).toBe(1200);
	});

	test('after another slows down more, down to an eighth, and many at once slow down once', async () => {
		const account = new LimitedAccount();

		await account.sendAll(8, { returnMs: 1, outcome: NOW });
		for (let time = 0; time < 5; time += 1) {
			await account.sendAll(1, { outcome: NOW });
		}

		expect(gaps(account.sentAt).slice(7)).toEqual([1200, 2400, 4800, 4800, 4800]);
	});

	test('that asks for up to 15 minutes has all requests wait, and the longest wait counts', async () => {
		const account = new LimitedAccount();
		const asked = [15 * MINUTE, MINUTE].map(async (retryAfterMs) => {
			await account.send({ outcome: { ...TOO_MANY, retryAfterMs } });
		});
		await account.clock.advance();
		await Promise.all(asked);

		await account.sendAll(1);

		expect(account.sentAt.at(-1)).toBe(15 * MINUTE);
	});

	test('without Retry-After has all wait for a second, and twice as long after each further one', async () => {
		const account = new LimitedAccount({ requests: 60_000 });
		for (let time = 0; time < 7; time += 1) {
			await account.sendAll(1, { outcome: TOO_MANY });
		}

		const asked = [1000, 2000, 4000, 8000, 16_000, 30_000];
		const lengthened = gaps(account.sentAt).map((gap, position) => gap / (asked[position] ?? 0));

		expect(lengthened).toHaveLength(asked.length);
		expect(Math.min(...lengthened)).toBeGreaterThanOrEqual(1);
		expect(Math.max(...lengthened)).toBeLessThanOrEqual(1.25);
	});

	test('has one request go ahead of all others after the pause', async () => {
		const account = new LimitedAccount({ requests: 60_000 });

		await account.sendAll(1, { outcome: NOW });
		await account.sendAll(3, { returnMs: 500 });

		expect(gaps(account.sentAt).slice(1, 3)).toEqual([500, expect.closeTo(1.96, 1)]);
	});

	test('that asks for more than 15 minutes rejects all requests until they are over', async () => {
		const { clock, limiter } = new LimitedAccount();
		const release = await limiter.acquire();
		const waiting = Promise.allSettled(
			Array.from({ length: 100 }, async () => await limiter.acquire()),
		);
		release({ ...TOO_MANY, retryAfterMs: 60 * MINUTE });

		const rejected = (await waiting).filter(({ status }) => status === 'rejected');
		const late = await rejectionOf(limiter.acquire());

		expect(rejected).toHaveLength(100);
		expect(late).toBeInstanceOf(AccountBlockedError);
		expect(late).toMatchObject({ forMs: 60 * MINUTE });

		await clock.advance(60 * MINUTE);

		expect(await rejectionOf(limiter.acquire(AbortSignal.abort('stopped')))).toBe('stopped');
	});
});

/** A service that limits the requests of any window, and may say in whole seconds when it takes the next. */
class LimitedService {
	readonly clock = new FakeClock();
	refused = 0;
	private readonly accepted: number[] = [];

	constructor(
		private readonly allowed: RateLimit,
		private readonly tells = true,
		private readonly latencyMs = 50,
	) {}

	/** Sends requests of one process, each until it is let in; returns how long that takes. */
	async sendAll(limiter: RateLimiter, count: number, lanes: number): Promise<number> {
		const startedAt = this.clock.now();
		let left = count;
		const lane = async (): Promise<void> => {
			while (left > 0) {
				left -= 1;
				for (let status = 0; status !== 200;) {
					const release = await limiter.acquire();
					await this.clock.wait(this.latencyMs / 2);
					const answer = this.answer();
					await this.clock.wait(this.latencyMs / 2);
					release(answer);
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

		return { status: 429, ...(this.tells && { retryAfterMs: Math.ceil(waitMs / 1000) * 1000 }) };
	}
}

/** 100 payouts make some 204 requests: twelve seconds are the least. */
describe.each([1, 2])('100 payouts of %i processes', (processes) => {
	const windowMs = 6000;

	test.each([
		[100, true, 15_000, 20],
		[600, true, 15_000, 20],
		[100, false, 20_000, 40],
		[600, false, 20_000, 40],
	])(
		'take no longer than they must, told %i per window, Retry-After %p #limit-too-high',
		async (requests, tells, maxMs, maxRefused) => {
			for (const latencyMs of [2, 50, 150]) {
				const service = new LimitedService({ requests: 100, windowMs }, tells, latencyMs);
				const sending = Array.from({ length: processes }, async () => {
					const limiter = new RateLimiter(service.clock, { requests, windowMs });
					return await service.sendAll(limiter, 204 / processes, 100 / processes);
				});

				await service.clock.advance();

				const tookMs = Math.max(...(await Promise.all(sending)));

				expect(tookMs).toBeLessThanOrEqual(maxMs);
				expect(service.refused).toBeLessThanOrEqual(maxRefused);
			}
		},
	);
});
