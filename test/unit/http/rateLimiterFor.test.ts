import { rateLimitOf } from '../../../nodes/PartnerPayments/service/http/rateLimit';
import {
	rateLimiterFor,
	type RateLimiter,
} from '../../../nodes/PartnerPayments/service/http/rateLimiter';
import { FakeClock } from './fakeClock';
import { MINUTE, STANDARD, TOO_MANY } from './limitedAccount';

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
		const slot = await limiter.acquire();
		expect(limiterOf('one')).toBe(limiter);
		expect(limiterOf('other')).not.toBe(limiter);
		limiter.release(slot, { status: 200 });
		expect(limiterOf('one')).toBe(limiter);
	});

	test('forget the limiters of accounts that nobody uses', async () => {
		for (let number = 0; number < 1000; number += 1) {
			const limiter = limiterOf(`account-${number}`);
			limiter.release(await limiter.acquire(), { status: 200 });
			await clock.advance(clock.now() + 1000);
		}
		expect(limiters.size).toBeLessThan(70);
	});

	test('remember an account that the service has blocked until the time is over', async () => {
		const limiter = limiterOf('blocked');
		limiter.release(await limiter.acquire(), { ...TOO_MANY, retryAfterMs: 5 * MINUTE });
		await clock.advance(2 * MINUTE);
		expect(limiterOf('blocked')).toBe(limiter);
		await clock.advance(5 * MINUTE - 1);
		expect(limiterOf('blocked')).toBe(limiter);
		await clock.advance(5 * MINUTE);
		expect(limiterOf('blocked')).not.toBe(limiter);
	});
});

test.each([
	[{}, STANDARD],
	[{ requestsPerMinute: 30 }, { requests: 30, windowMs: MINUTE }],
	[{ requestsPerMinute: 1 }, { requests: 1, windowMs: MINUTE }],
	[{ requestsPerMinute: '30.9' }, { requests: 30, windowMs: MINUTE }],
	[{ requestsPerMinute: 0 }, STANDARD],
	[{ requestsPerMinute: -5 }, STANDARD],
	[{ requestsPerMinute: 'many' }, STANDARD],
	[{ requestsPerMinute: Infinity }, STANDARD],
	[
		{ requestsPerMinute: 100, rateWindowSeconds: 6 },
		{ requests: 100, windowMs: 6000 },
	],
	[{ rateWindowSeconds: 0 }, STANDARD],
	[{ rateWindowSeconds: 'long' }, STANDARD],
])('the limit is read from the credential %j', (credentials, limit) => {
	expect(rateLimitOf(credentials)).toEqual(limit);
});
