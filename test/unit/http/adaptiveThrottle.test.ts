import { AdaptiveThrottle } from '../../../nodes/PartnerPayments/service/http/adaptiveThrottle';

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
