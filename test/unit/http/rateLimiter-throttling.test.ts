import {
	AccountBlockedError,
	AdaptiveThrottle,
} from '../../../nodes/PartnerPayments/api/http/rateLimiter';
import { rejectionOf } from '../support';
import { LimitedAccount, MINUTE, TOO_MANY } from './limitedAccount';

describe('a 429', () => {
	/** The gaps between requests, in milliseconds. */
	const gaps = (times: number[]): number[] =>
		times.slice(1).map((time, position) => time - (times[position] ?? 0));

	test('spaces requests, closer and closer until they are not spaced any more', async () => {
		const account = new LimitedAccount();
		await account.sendAll(1, { outcome: TOO_MANY });
		await account.sendAll(90, { returnMs: 1 });
		const [first = 0, ...others] = gaps(account.sentAt);
		expect(first).toBeCloseTo(1200);
		expect(others.every((gap, position) => gap <= (others[position - 1] ?? first))).toBe(true);
		expect(others.at(-1)).toBe(0);
	});

	test('is not made up for by successes of requests that were sent before it', async () => {
		const account = new LimitedAccount();
		const burst = Array.from({ length: 60 }, async (_, returnMs) => {
			await account.send({ returnMs, outcome: returnMs === 0 ? TOO_MANY : { status: 200 } });
		});
		await account.clock.advance();
		await Promise.all(burst);
		await account.sendAll(2, { returnMs: 5000 });
		expect(gaps(account.sentAt).at(-1)).toBeCloseTo(1200);
	});

	test('is not made up for by requests without an answer', async () => {
		const account = new LimitedAccount();
		await account.sendAll(1, { outcome: TOO_MANY });
		await account.sendAll(3, { outcome: {} });
		expect(gaps(account.sentAt)).toEqual([1200, 1200, 1200]);
	});

	test('after another slows down more, down to an eighth', async () => {
		const account = new LimitedAccount();
		for (let time = 0; time < 6; time += 1) await account.sendAll(1, { outcome: TOO_MANY });
		expect(gaps(account.sentAt)).toEqual([1200, 2400, 4800, 4800, 4800]);
	});

	test('that asks for up to 15 minutes is waited for by all requests', async () => {
		const account = new LimitedAccount();
		await account.sendAll(1, { outcome: { ...TOO_MANY, retryAfterMs: 15 * MINUTE } });
		await account.sendAll(3);
		expect(account.sentAt.slice(0, 2)).toEqual([0, 15 * MINUTE]);
	});

	test('that asks for more than 15 minutes rejects all requests until they are over', async () => {
		const { clock, limiter } = new LimitedAccount();
		const slot = await limiter.acquire();
		const waiting = rejectionOf(
			Promise.all(Array.from({ length: 100 }, async () => await limiter.acquire())),
		);
		limiter.release(slot, { ...TOO_MANY, retryAfterMs: 60 * MINUTE });
		const error = await waiting;
		expect(error).toBeInstanceOf(AccountBlockedError);
		expect(error).toHaveProperty('message', 'The service wants no requests');
		expect(await rejectionOf(limiter.acquire())).toHaveProperty('forMs', 60 * MINUTE);
		await clock.advance(50 * MINUTE);
		const next = limiter.acquire();
		await clock.advance();
		expect((await next).sentAt).toBe(60 * MINUTE);
	});
});

/** Between two requests at full speed, in milliseconds. */
const GAP_MS = 600;

test('at full speed requests keep no distance', () => {
	expect(new AdaptiveThrottle().nextAllowedAt(5000, GAP_MS)).toBe(-Infinity);
});

test('a 429 slows down once for all requests that were sent until then', () => {
	const throttle = new AdaptiveThrottle();
	throttle.recordRateLimited(0, 100);
	throttle.recordRateLimited(0, 120);
	throttle.recordRateLimited(100, 130);
	expect(throttle.nextAllowedAt(0, GAP_MS)).toBe(2 * GAP_MS);
	throttle.recordRateLimited(101, 140);
	expect(throttle.nextAllowedAt(0, GAP_MS)).toBe(4 * GAP_MS);
});

test('only a success of a request that was sent after the slow-down raises the speed', () => {
	const throttle = new AdaptiveThrottle();
	throttle.recordRateLimited(0, 100);
	throttle.recordSuccess(100);
	expect(throttle.nextAllowedAt(0, GAP_MS)).toBe(2 * GAP_MS);
	throttle.recordSuccess(101);
	expect(throttle.nextAllowedAt(0, GAP_MS)).toBeCloseTo(GAP_MS / 0.51);
	for (let success = 0; success < 49; success += 1) throttle.recordSuccess(101);
	expect(throttle.nextAllowedAt(0, GAP_MS)).toBe(throttle.blockedUntil);
});

test('a shorter time to wait does not replace a longer one', () => {
	const throttle = new AdaptiveThrottle();
	throttle.recordRateLimited(0, 100, 1000);
	throttle.recordRateLimited(0, 200, 300);
	expect(throttle.blockedUntil).toBe(1100);
	expect(throttle.nextAllowedAt(-5000, GAP_MS)).toBe(1100);
});
