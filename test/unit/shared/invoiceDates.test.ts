import {
	areOfTwoDates,
	withMonthFirst,
	withoutShortYear,
	type Dated,
} from '../../../nodes/PartnerPayments/shared/invoiceDates';

const NO_DATE = undefined;

describe('a number begins with its month', () => {
	test.each<[what: string, given: Dated, read: Dated]>([
		[
			'behind a year of two digits',
			{ digits: '26-11-342', date: NO_DATE },
			{ digits: '11-342', date: '2026' },
		],
		[
			'behind one without a separator',
			{ digits: '2611342', date: NO_DATE },
			{ digits: '11-342', date: '2026' },
		],
		[
			'behind one, and beside a whole date, which stays',
			{ digits: '26-11-342', date: '2026-11-25' },
			{ digits: '11-342', date: '2026-11-25' },
		],
		['beside a year', { digits: '110342', date: '2026' }, { digits: '11-0342', date: '2026' }],
		[
			'not without a year',
			{ digits: '110342', date: NO_DATE },
			{ digits: '110342', date: NO_DATE },
		],
		[
			'not beside a whole date',
			{ digits: '110342', date: '2026-11-25' },
			{ digits: '110342', date: '2026-11-25' },
		],
	])('%s', (_, given, read) => {
		expect(withMonthFirst(given)).toEqual(read);
	});

	test('and that of January has a zero, since 10342 is one of October', () => {
		expect(withMonthFirst({ digits: '26-1-342', date: NO_DATE }).digits).toBe('01-342');
		expect(withMonthFirst({ digits: '26-10-342', date: NO_DATE }).digits).toBe('10-342');
	});
});

test.each<[given: Dated, read: Dated]>([
	[
		{ digits: '26-34', date: NO_DATE },
		{ digits: '34', date: '2026' },
	],
	[
		{ digits: '26-34', date: '2025' },
		{ digits: '26-34', date: '2025' },
	],
	[
		{ digits: '2634', date: NO_DATE },
		{ digits: '2634', date: NO_DATE },
	],
	[
		{ digits: '11-34', date: NO_DATE },
		{ digits: '11-34', date: NO_DATE },
	],
])('a year of two digits before a number is its date: %j is %j', (given, read) => {
	expect(withoutShortYear(given)).toEqual(read);
});

describe('two dates differ', () => {
	test.each<[one: string, other: string, areTwo: boolean]>([
		['2026-12-31', '31-12-2026', false],
		['2026-12-31', '12-31-2026', false],
		['31-12-2026', '12-31-2026', false],
		['20261231', '2026-12-31', false],
		['7-11-2026', '2026-7-11', false],
		['7-11-2026', '2026-11-7', false],
		['12-12-2026', '2026-12-12', false],
		['31-1-2026', '2026-1-31', false],
		['2026', '2026-11-7', false],
		['11-2026', '2026-11-7', false],
		['11-2026', '2026-12-7', true],
		['2026-11', '2026-1-11', true],
		['2026-7-11', '2026-11-7', true],
		['13-11-2026', '2026-11-7', true],
		['2025', '2026-11-7', true],
	])('%s and %s: %p', (one, other, areTwo) => {
		expect(areOfTwoDates(one, other)).toBe(areTwo);
		expect(areOfTwoDates(other, one)).toBe(areTwo);
	});

	test('never if one is not known', () => {
		expect(areOfTwoDates(undefined, '2026')).toBe(false);
		expect(areOfTwoDates('2026', undefined)).toBe(false);
	});
});
