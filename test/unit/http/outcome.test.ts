import {
	type AttemptResult,
	classify,
	consequenceOf,
	type FailureKind,
	mayMeanAlreadyDone,
} from '../../../nodes/PartnerPayments/api/http/outcome';
import { retryAfterMs } from '../../../nodes/PartnerPayments/api/http/message';
import { EVERY_IDEMPOTENCY } from './requestHarness';

const answer = (status: number): AttemptResult => ({ kind: 'answered', status, body: {} });
const failure = (neverSent: boolean, isTransient: boolean): AttemptResult => ({
	kind: 'unanswered',
	failure: { reason: 'it failed', neverSent, isTransient },
});

test.each<[expected: FailureKind | 'success', statuses: number[]]>([
	['success', [200, 204, 299]],
	['declined', [400, 402, 411, 413, 414, 415, 422]],
	['missing', [404, 405, 406, 410]],
	['denied', [401, 403]],
	['conflict', [409]],
	['rateLimited', [429]],
	['ambiguous', [0, 100, 199, 300, 302, 303, 307, 399, 407, 408, 412, 418, 425, 428, 451, 499]],
	['ambiguous', [500, 502, 503, 504, 599]],
])('an answer is %s with the status %j #status-meaning', (expected, statuses) => {
	for (const status of statuses) {
		expect([status, classify(answer(status))]).toEqual([status, expected]);
	}
});

test.each<[what: string, result: AttemptResult, expected: FailureKind | 'success']>([
	['that broke', failure(false, true), 'ambiguous'],
	['that broke, whatever is wrong with it', failure(false, false), 'ambiguous'],
	['that did not open', failure(true, true), 'notConnected'],
	['that cannot be opened', failure(true, false), 'unreachable'],
])('a connection %s is classified', (_, result, expected) => {
	expect(classify(result)).toBe(expected);
});

describe.each(EVERY_IDEMPOTENCY)('a request that is %s', (idempotency) => {
	test.each<[kind: FailureKind, retry: boolean]>([
		['rateLimited', true],
		['notConnected', true],
		['unreachable', false],
	])('was not sent when it was %s, and is sent again: %s', (kind, retry) => {
		expect(consequenceOf(kind, idempotency)).toEqual({ retry, outcome: 'notSent' });
	});

	test.each<FailureKind>(['declined', 'conflict', 'denied'])(
		'was refused for good when it was %s',
		(kind) => {
			expect(consequenceOf(kind, idempotency)).toEqual({ retry: false, outcome: 'refused' });
		},
	);
});

describe('an answer that leaves open whether a request took effect', () => {
	const OPEN: FailureKind[] = ['missing', 'ambiguous', 'unreadable'];

	test.each(OPEN)('makes one with an effect each time unconfirmed, and final: %s', (kind) => {
		expect(consequenceOf(kind, 'nonIdempotent')).toEqual({ retry: false, outcome: 'unknown' });
	});

	test.each(OPEN)('leaves one that can be repeated without harm refused: %s', (kind) => {
		for (const idempotency of ['safe', 'idempotent'] as const) {
			// Only what is ambiguous may be another the next time.
			const retry = kind === 'ambiguous';

			expect(consequenceOf(kind, idempotency)).toEqual({ retry, outcome: 'refused' });
		}
	});
});

test.each<[kind: FailureKind, expected: boolean]>([
	['declined', true],
	['missing', true],
	['conflict', true],
	['denied', false],
	['ambiguous', false],
	['rateLimited', false],
])('a repeated request that is %s may have been done already: %s', (kind, expected) => {
	expect(mayMeanAlreadyDone(kind)).toBe(expected);
});

const TODAY = Date.parse('2026-05-01T12:00:00Z');
const LATER = 'Fri, 01 May 2026 12:00:30 GMT';

test.each<[headers: Record<string, unknown>, ms: number | undefined]>([
	[{}, undefined],
	[{ 'retry-after': '' }, undefined],
	[{ 'retry-after': '  ' }, undefined],
	[{ 'retry-after': 'soon' }, undefined],
	[{ 'retry-after': ['1'] }, undefined],
	[{ 'retry-after': 7 }, undefined],
	[{ 'retry-after': '-Infinity' }, undefined],
	[{ 'retry-after': '0' }, 0],
	[{ 'retry-after': '7' }, 7000],
	[{ 'retry-after': '1.5' }, 1500],
	[{ 'retry-after': '-3' }, 0],
	[{ 'retry-after': '3600' }, 3_600_000],
	[{ 'retry-after': '3601' }, undefined],
	[{ 'retry-after': '1795000000' }, undefined],
	[{ 'retry-after': 'Fri, 01 May 2026 13:00:01 GMT' }, undefined],
	[{ 'retry-after': LATER }, 30_000],
	[{ 'retry-after': 'Fri, 01 May 2026 11:00:00 GMT' }, 0],
	[{ 'retry-after': LATER, date: 'Fri, 01 May 2026 12:00:20 GMT' }, 10_000],
	[{ 'retry-after': LATER, date: 'today' }, 30_000],
	[{ 'retry-after': LATER, date: 5 }, 30_000],
])('%j asks for %p ms', (headers, ms) => {
	expect(retryAfterMs(headers, TODAY)).toBe(ms);
});
