import fc from 'fast-check';

import { retryAfterMs } from '../../nodes/PartnerPayments/service/http/retryPolicy';

const TODAY = Date.parse('2026-05-01T12:00:00Z');
const LATER = 'Fri, 01 May 2026 12:00:30 GMT';

test.each<[headers: Record<string, unknown>, ms: number | undefined]>([
	[{}, undefined],
	[{ 'retry-after': '' }, undefined],
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
