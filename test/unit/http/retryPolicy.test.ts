import fc from 'fast-check';

import { RetryPolicy, retryAfterMs } from '../../../nodes/PartnerPayments/service/http/retryPolicy';
import { FakeClock } from './fakeClock';
import { answered, MINUTE } from './requestHarness';

const TODAY = Date.parse('2026-05-01T12:00:00Z');
const LATER = 'Fri, 01 May 2026 12:00:30 GMT';

test.each<[headers: Record<string, unknown>, ms: number | undefined]>([
	[{}, undefined],
	[{ 'retry-after': '' }, undefined],
	[{ 'retry-after': '  ' }, undefined],
	[{ 'retry-after': 'soon' }, undefined],
	[{ 'retry-after': ['1'] }, undefined],
	[{ 'retry-after': '0' }, 0],
	[{ 'retry-after': '7' }, 7000],
	[{ 'retry-after': '1.5' }, 1500],
	[{ 'retry-after': '-3' }, 0],
	[{ 'retry-after': LATER }, 30_000],
	[{ 'retry-after': 'Fri, 01 May 2026 11:00:00 GMT' }, 0],
	[{ 'retry-after': LATER, date: 'Fri, 01 May 2026 12:00:20 GMT' }, 10_000],
	[{ 'retry-after': LATER, date: 'today' }, 30_000],
	[{ 'retry-after': LATER, date: 5 }, 30_000],
])('%j asks for %p ms', (headers, ms) => {
	expect(retryAfterMs(headers, TODAY)).toBe(ms);
});

test('any header is a time to wait, or none', () => {
	fc.assert(
		fc.property(fc.anything(), fc.anything(), (asked, date) => {
			const ms = retryAfterMs({ 'retry-after': asked, date }, TODAY);
			expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true);
		}),
	);
	fc.assert(
		fc.property(fc.string(), (asked) => {
			const ms = retryAfterMs({ 'retry-after': asked }, TODAY);
			expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true);
		}),
	);
});

describe('the retry policy', () => {
	test('does not repeat a success', () => {
		expect(new RetryPolicy('safe', new FakeClock()).delayAfter(answered(200))).toBeUndefined();
	});

	test('repeats a request that gets nothing but 429 for 15 minutes after the first one', async () => {
		const clock = new FakeClock();
		const start = 20 * MINUTE;
		await clock.advance(start);
		const policy = new RetryPolicy('nonIdempotent', clock);
		expect(policy.delayAfter(answered(429, 1000))).toBe(0);
		await clock.advance(start + 15 * MINUTE);
		expect(policy.delayAfter(answered(429, 1000))).toBe(0);
		await clock.advance(start + 15 * MINUTE + 1);
		expect(policy.delayAfter(answered(429, 1000))).toBeUndefined();
	});
});
