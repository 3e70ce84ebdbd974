import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import {
	findByHistory,
	findBySlip,
	findUnsent,
	type PaymentTimes,
} from '../../../nodes/PartnerPayments/ledger/protocol/vendorHistory';
import type { Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { DAY_MS } from '../../../nodes/PartnerPayments/shared/dates';
import { DAYS, NOW, rowFor, timeAgo } from './duplicateFinding';
import { paymentOf } from './ledgerRuns';

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

/** What a payment of now may repeat: the references, and what they share with it. */
const foundFor = (payment: Payment, rows: Row[]): string[] =>
	foundAt({ time: NOW, since: NOW - DAYS * DAY_MS }, payment, rows);

const foundAt = (times: PaymentTimes, payment: Payment, rows: Row[]): string[] =>
	[...findBySlip(payment, rows), ...findByHistory(payment, rows, times)].map(
		({ row, likeness }) => `${row.reference}: ${likeness}`,
	);

const paid = (reference: string, changes: Partial<Row> = {}): Row =>
	rowFor(paymentOf(reference), { createdAt: timeAgo(60), ...changes });

test.each([
	[
		'a slip',
		'INV-2004',
		[paid('INV-1998'), paid('INV-2040')],
		['INV-2040: almost the same number'],
	],
	[
		'another date',
		'4711 12/2026',
		[paid('4711 11/2026')],
		['4711 11/2026: almost the same number'],
	],
	[
		'another year',
		'Rent May 2027',
		[paid('Rent May 2026')],
		['Rent May 2026: almost the same number'],
	],
	['no series', 'Order 5521', [paid('R-88120')], ['R-88120: same payee and amount']],
	['the next number', 'INV-2041', [paid('INV-2040')], []],
])('says what a payment shares with others: %s', (_, reference, rows, expected) => {
	expect(foundFor(paymentOf(reference), rows)).toEqual(expected);
});

test('a number that is far above those of all amounts is like none', () => {
	const others = ['INV-471', 'INV-472', 'INV-476'].map((reference, day) =>
		rowFor(paymentOf(reference, { amount: 100 }), { createdAt: timeAgo(50 - day) }),
	);
	const rows = [paid('INV-474'), ...others];

	expect(foundFor(paymentOf('INV-747'), rows)).toEqual(['INV-474: same payee and amount']);
	expect(foundFor(paymentOf('INV-479'), rows)).toEqual([]);
});

test("what the payment itself has in the ledger says nothing of its vendor's numbers", () => {
	const own = paid('Order 5521', { state: 'held' });

	expect(foundFor(paymentOf('Order 5521'), [own, paid('R-88120')])).toEqual([
		'R-88120: same payee and amount',
	]);
});

test('an amount that may be mistyped with the number is shown the payment of the vendor', () => {
	const rows = [
		paid('FR-7738', { amount_cents: 22_220 }),
		paid('FR-7705', { amount_cents: 38_800 }),
	];
	const payment = paymentOf('FR-7783', { amount: 22_200 });
	const unread = rows.map((row) => ({ ...row, amount_cents: null }));

	expect(foundFor(payment, rows)).toEqual(['FR-7738: almost the same number and amount']);
	expect(foundFor(payment, unread)).toEqual([]);
	expect(foundFor(payment, [...rows, paid('FR-7701', { amount_cents: 22_200 })])).toEqual([]);
	expect(foundFor(paymentOf('FR-7783', { amount: 22_220 }), rows)).toEqual([
		'FR-7738: almost the same number',
	]);
});

describe('a reference that names another paper than an invoice', () => {
	const invoices = [paid('55012', { amount_cents: 100 }), paid('55020', { amount_cents: 200 })];

	test('is shown the last invoices of the vendor, whatever their amounts are', () => {
		expect(foundFor(paymentOf('Reminder 771'), invoices)).toEqual([
			'55020: same payee, and this may be no invoice',
			'55012: same payee, and this may be no invoice',
		]);
	});

	test('is shown those of its amount, where it does not continue their numbers', () => {
		const rows = [...invoices, paid('PP-4426')];

		expect(foundFor(paymentOf('Order 5107'), rows)).toEqual(['PP-4426: same payee and amount']);
	});

	test('passes where the vendor has been paid for such a paper', () => {
		const ofOrder = paid('Order 5099', { amount_cents: 300 });

		expect(foundFor(paymentOf('Order 5107'), [...invoices, ofOrder])).toEqual([]);
		expect(foundFor(paymentOf('Quote 5107'), [...invoices, ofOrder])).toHaveLength(3);
	});

	test('passes where it is the first of its vendor', () => {
		expect(foundFor(paymentOf('Order 5107'), [])).toEqual([]);
		expect(foundFor(paymentOf('Order 5107'), [paid('Order 5107')])).toEqual([]);
	});
});

test('other words than those of the last payments are shown these, of any amount and only if they were paid', () => {
	const invoices = ['KP-3344', 'KP-3350', 'KP-3361'].map((reference, index) =>
		paid(reference, { amount_cents: 100 + index }),
	);
	const [, second, third] = invoices;
	const held = paid('KP-3340', { amount_cents: 100, state: 'held' });
	const twoPaid = [held, second, third].flatMap((row) => row ?? []);

	expect(foundFor(paymentOf('Print flyers'), invoices)).toEqual([
		'KP-3361: same payee, whose references have other words',
		'KP-3350: same payee, whose references have other words',
		'KP-3344: same payee, whose references have other words',
	]);
	expect(foundFor(paymentOf('Print flyers'), twoPaid)).toEqual([]);
	expect(foundFor(paymentOf('KP-3370'), invoices)).toEqual([]);
});

describe('the next number of a vendor', () => {
	/** Invoices that were paid each two weeks, the last one as many days ago. */
	const eachTwoWeeks = (daysAgo: number): Row[] => [
		paid('EC-55', { createdAt: timeAgo(daysAgo + 28) }),
		paid('EC-56', { createdAt: timeAgo(daysAgo + 14) }),
		paid('EC-57', { createdAt: timeAgo(daysAgo) }),
	];
	const next = paymentOf('EC-58');
	const sooner = ['EC-57', 'EC-56', 'EC-55'].map(
		(reference) => `${reference}: same payee and amount, sooner than usual`,
	);

	test.each([
		[8, sooner],
		[10.4, sooner],
		[10.6, []],
		[14, []],
	])('after %d of 14 days: %j', (daysAgo, expected) => {
		expect(foundFor(next, eachTwoWeeks(daysAgo))).toEqual(expected);
	});

	test('is left to the days of the option where these count', () => {
		expect(foundFor(next, eachTwoWeeks(DAYS - 1))).toEqual([]);
	});

	test('is as late as when it was held, however much later it is sent again', () => {
		const time = NOW - 10 * DAY_MS;
		const times = { time, since: time - DAYS * DAY_MS };

		expect(foundAt(times, next, eachTwoWeeks(18))).toEqual(sooner);
	});

	test('passes at any time where one payment alone is known, or another amount', () => {
		const [, , last] = eachTwoWeeks(8);
		const others = eachTwoWeeks(8).map((row) => ({ ...row, amount_cents: 100 }));

		expect(foundFor(next, last === undefined ? [] : [last])).toEqual([]);
		expect(foundFor(next, others)).toEqual([]);
	});
});

describe('what a payment may be once more, with another reference', () => {
	const declined = paid('7790', { state: 'not_paid' });

	test.each([
		['words in its place', 'Lamps hall', [declined], ['7790']],
		['its digits swapped', '7709', [declined], ['7790']],
		[
			'a number that is like a declined one, but the next',
			'SR-7780',
			[paid('SR-7779'), declined],
			[],
		],
		['what is held', 'Lamps hall', [paid('7790', { state: 'held' })], ['7790']],
		['a month in its place', 'Garden December', [paid('99', { state: 'held' })], ['99']],
		['a number, where nothing was paid', 'SR-7795', [declined], ['7790']],
		['the next number', 'SR-7795', [paid('SR-7785', { amount_cents: 1 }), declined], []],
		['the next number of others', 'INV-13', [paid('INV-12'), paid('Lamps', { state: 'held' })], []],
		['another amount', 'Lamps hall', [paid('7790', { state: 'held', amount_cents: 1 })], []],
		['what was paid', 'Lamps hall', [paid('7790')], []],
		['the payment itself', '7790', [declined], []],
	])('%s: %s', (_, reference, rows, expected) => {
		const found = findUnsent(paymentOf(reference), rows);

		expect(found.map((row) => row.reference)).toEqual(expected);
	});

	test('are the newest five of many', () => {
		const rows = ['R-881291', 'R-881292', 'R-881293', 'R-881294', 'R-881295', 'R-881296'].map(
			(declinedReference) => paid(declinedReference, { state: 'not_paid' }),
		);

		const found = findUnsent(paymentOf('Lamps hall'), rows);

		expect(found.map((row) => row.reference)).toEqual([
			'R-881292',
			'R-881293',
			'R-881294',
			'R-881295',
			'R-881296',
		]);
	});
});
