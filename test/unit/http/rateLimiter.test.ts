import fc from 'fast-check';
import {
	type RateLimit,
	type RateLimiter,
	rateLimiterFor,
	rateLimitOf,
	type SentRequest,
} from '../../../nodes/PartnerPayments/api/http/rateLimiter';
import { rejectionOf } from '../support';
import { LimitedAccount, MINUTE, STANDARD, TOO_MANY } from './limitedAccount';
import { FakeClock } from './fakeClock';

describe('the limit', () => {
	test('is kept in every window of the service, whatever the network delays #limit-in-every-window', async () => {
		const delay = fc.integer({ min: 0, max: 3000 });
		const request = fc.record({
			startMs: fc.integer({ min: 0, max: 5000 }),
			outboundMs: delay,
			returnMs: delay,
			cancelAfterMs: fc.option(delay),
			outcome: fc.constantFrom<SentRequest>(
				{ status: 200 },
				{ status: 500 },
				{},
				{ status: 429 },
				{ status: 429, retryAfterMs: 700 },
			),
		});

		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 8 }),
				fc.array(request, { maxLength: 40 }),
				async (requests, journeys) => {
					const account = new LimitedAccount({ requests, windowMs: 1000 });
					let cancelled = 0;
					for (const { startMs, cancelAfterMs, ...journey } of journeys) {
						const controller = new AbortController();
						void account.clock.wait(startMs).then(async () => {
							await account.send({ ...journey, signal: controller.signal }).catch(() => {
								cancelled += 1;
							});
						});

						if (cancelAfterMs === null) {
							continue;
						}

						void account.clock.wait(startMs + cancelAfterMs).then(() => {
							controller.abort();
						});
					}

					await account.clock.advance();

					expect(account.sentAt.length + cancelled).toBe(journeys.length);
					expect(account.maxArrivalsIn(1000)).toBeLessThanOrEqual(requests);
				},
			),
			{ numRuns: 100 },
		);
	});

	test.each([
		['has few requests in flight at once', 8, {}],
		['has more in flight the higher it is', 50, { requests: 60_000 }],
	])('%s', async (_, atOnce, limit) => {
		const account = new LimitedAccount(limit);

		await account.sendAll(500, { returnMs: 10 });

		expect(account.sentAt.filter((time) => time === 0)).toHaveLength(atOnce);
	});

	test('is used to at least 97 percent', async () => {
		const account = new LimitedAccount();

		await account.sendAll(2000);

		expect(account.sentAt.at(-1)).toBeLessThan((19 * MINUTE) / 0.97);
	});

	test('counts from the answer, since a request may have been on its way until then', async () => {
		const account = new LimitedAccount({ requests: 1 });

		await account.sendAll(2, { outboundMs: 5000, returnMs: 1000 });

		expect(account.sentAt[1]).toBeGreaterThanOrEqual(MINUTE + 6000);
	});

	test('does not count a slot that is released without a request', async () => {
		const account = new LimitedAccount({ requests: 1 });
		(await account.limiter.acquire())();

		await account.sendAll(1);

		expect(account.sentAt).toEqual([0]);
	});

	test('can be changed while requests wait', async () => {
		const account = new LimitedAccount({ requests: 1 });
		const all = Array.from({ length: 3 }, async () => {
			await account.send();
		});

		await account.clock.advance(1000);

		expect(account.sentAt).toEqual([0]);

		account.limiter.adjust({ ...STANDARD, requests: 3 });
		await account.clock.advance();

		await Promise.all(all);

		expect(account.sentAt).toEqual([0, 1000, 1000]);
	});
});

describe('a request that waits', () => {
	test('is served in order', async () => {
		const { clock, limiter } = new LimitedAccount({ requests: 2 });
		const order: number[] = [];
		for (let number = 0; number < 9; number += 1) {
			void limiter.acquire().then((release) => {
				order.push(number);
				release({ status: 200 });
			});
		}

		await clock.advance();

		expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	});

	test('can be cancelled at once, and the next one gets its slot', async () => {
		const { clock, limiter } = new LimitedAccount({ requests: 1 });
		(await limiter.acquire())({ status: 200 });
		const controller = new AbortController();
		const cancelled = rejectionOf(limiter.acquire(controller.signal));
		const next = limiter.acquire();
		const reason = new Error('The execution was cancelled');
		controller.abort(reason);

		expect(await cancelled).toBe(reason);
		expect(clock.now()).toBe(0);

		await clock.advance();
		await next;

		expect(clock.now()).toBeGreaterThanOrEqual(MINUTE);
		expect(clock.now()).toBeLessThan(MINUTE + 100);
	});
});

describe('the executions of a process', () => {
	let clock: FakeClock;
	let limiters: Map<string, RateLimiter>;
	const limiterOf = (account: string) => rateLimiterFor(account, STANDARD, clock, limiters);

	beforeEach(() => {
		clock = new FakeClock();
		limiters = new Map();
	});

	test('share the rate limiter of an account, and of no other', async () => {
		const limiter = limiterOf('one');

		const release = await limiter.acquire();

		expect(limiterOf('one')).toBe(limiter);
		expect(limiterOf('other')).not.toBe(limiter);

		release({ status: 200 });

		expect(limiterOf('one')).toBe(limiter);
	});

	test('forget the limiters of accounts that are not used', async () => {
		for (let number = 0; number < 1000; number += 1) {
			const limiter = limiterOf(`account-${number}`);
			(await limiter.acquire())({ status: 200 });
			await clock.advance(clock.now() + 1000);
		}

		expect(limiters.size).toBeLessThan(70);
	});

	test('remember an account that the service has blocked until the time is over', async () => {
		const limiter = limiterOf('blocked');
		(await limiter.acquire())({ ...TOO_MANY, retryAfterMs: 5 * MINUTE });

		await clock.advance(2 * MINUTE);

		expect(limiterOf('blocked')).toBe(limiter);

		await clock.advance(5 * MINUTE - 1);

		expect(limiterOf('blocked')).toBe(limiter);

		await clock.advance(5 * MINUTE);

		expect(limiterOf('blocked')).not.toBe(limiter);
	});
});

test.each<[credentials: object, limit: RateLimit]>([
	[{ requestsPerMinute: 30 }, { requests: 30, windowMs: MINUTE }],
	[{ requestsPerMinute: 1 }, { requests: 1, windowMs: MINUTE }],
	[{ requestsPerMinute: '30.9' }, { requests: 30, windowMs: MINUTE }],
	[
		{ requestsPerMinute: 9, rateWindowSeconds: 6 },
		{ requests: 9, windowMs: 6000 },
	],
	[{}, STANDARD],
	[{ rateWindowSeconds: 0 }, STANDARD],
	[{ rateWindowSeconds: 'long' }, STANDARD],
	[{ requestsPerMinute: 0 }, STANDARD],
	[{ requestsPerMinute: -5 }, STANDARD],
	[{ requestsPerMinute: 'many' }, STANDARD],
	[{ requestsPerMinute: Infinity }, STANDARD],
])('the limit is read from the credential %j', (credentials, limit) => {
	expect(rateLimitOf({ ...credentials })).toEqual(limit);
});
