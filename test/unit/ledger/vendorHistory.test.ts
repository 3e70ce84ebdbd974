import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import {
	findByHistory,
	findBySlip,
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

test('a number that is far above those of its vendor is like none, whatever the amounts are', () => {
	const others = ['INV-471', 'INV-472', 'INV-476'].map((reference, day) =>
		rowFor(paymentOf(reference, { amount: 100 }), { createdAt: timeAgo(50 - day) }),
	);
	const rows = [paid('INV-474'), ...others];

	const ofOthers = ['INV-476', 'INV-472', 'INV-471'].map(
		(reference) => `${reference}: same payee, whose references are unlike this one`,
	);

	expect(foundFor(paymentOf('INV-747'), rows)).toEqual([
		'INV-474: same payee and amount',
		...ofOthers,
	]);
	expect(foundFor(paymentOf('INV-747', { amount: 9900 }), others)).toEqual(ofOthers);
	expect(foundFor(paymentOf('INV-479'), rows)).toEqual([]);
});

test('a number that is far above those of its amount continues those of its vendor', () => {
	const others = Array.from({ length: 14 }, (_, index) =>
		rowFor(paymentOf(`INV-${473 + index}`, { amount: 100 + index }), { createdAt: timeAgo(59) }),
	);
	const ofAmount = [paid('INV-471'), paid('INV-472')];

	expect(foundFor(paymentOf('INV-487'), [...ofAmount, ...others])).toEqual([]);
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
	const payment = paymentOf('FR-7730', { amount: 22_202 });
	const unread = rows.map((row) => ({ ...row, amount_cents: null }));

	expect(foundFor(payment, rows)).toEqual(['FR-7738: almost the same number, with another amount']);
	expect(foundFor(payment, unread)).toEqual([]);
	expect(foundFor(payment, [...rows, paid('FR-7701', { amount_cents: 22_202 })])).toEqual([]);
});

test('two swapped digits of a number are shown the payment of the vendor, whatever the amounts are', () => {
	const rows = [paid('FR-7705', { amount_cents: 38_800 }), paid('FR-7738', { amount_cents: 100 })];

	expect(foundFor(paymentOf('FR-7783', { amount: 22_200 }), rows)).toEqual([
		'FR-7738: almost the same number, with another amount',
	]);
	expect(foundFor(paymentOf('FR-7783', { amount: 100 }), rows)).toEqual([
		'FR-7738: almost the same number',
	]);
	expect(foundFor(paymentOf('FR-7750', { amount: 22_200 }), rows)).toEqual([]);
});

describe('a reference that is like none of its vendor', () => {
	const invoices = ['KP-3344', 'KP-3350', 'KP-3361'].map((reference, index) =>
		paid(reference, { amount_cents: 100 + index }),
	);

	test('is shown the last payments, whatever their amounts are', () => {
		expect(foundFor(paymentOf('Print flyers'), invoices)).toEqual([
			'KP-3361: same payee, whose references are unlike this one',
			'KP-3350: same payee, whose references are unlike this one',
			'KP-3344: same payee, whose references are unlike this one',
		]);
	});

	test('is shown those of its amount as well, also what waits', () => {
		const waiting = paid('PP-4426', { state: 'held' });
		const [first] = invoices;

		expect(foundFor(paymentOf('Order 5107'), [...invoices.slice(0, 1), waiting])).toEqual([
			'PP-4426: same payee and amount',
			`${first?.reference}: same payee, whose references are unlike this one`,
		]);
	});

	test('passes where nothing was paid to the vendor', () => {
		const held = invoices.map((row) => ({ ...row, state: 'held' }));

		expect(foundFor(paymentOf('Print flyers'), [])).toEqual([]);
		expect(foundFor(paymentOf('Print flyers'), held)).toEqual([]);
		expect(foundFor(paymentOf('KP-3361'), invoices.slice(2))).toEqual([]);
		expect(foundFor(paymentOf('KP-3362'), [paid('KP-3361', { state: 'held' })])).toEqual([]);
	});

	test('passes where one of them is of its kind', () => {
		const ofOrder = paid('Order 5099', { amount_cents: 300 });

		expect(foundFor(paymentOf('Order 5107'), [...invoices, ofOrder])).toEqual([]);
		expect(foundFor(paymentOf('Quote 5107'), [...invoices, ofOrder])).toHaveLength(3);
	});
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

	test('is shown what it comes too soon after, also beside what waits', () => {
		const waiting = paid('EC-75', { state: 'held', createdAt: timeAgo(1) });

		const found = foundFor(next, [...eachTwoWeeks(8), waiting]);

		expect(found).toEqual(['EC-75: same payee and amount, sooner than usual', ...sooner]);
	});

	test('is as late as when it was held, however much later it is sent again', () => {
		const time = NOW - 10 * DAY_MS;
		const times = { time, since: time - DAYS * DAY_MS };

		expect(foundAt(times, next, eachTwoWeeks(18))).toEqual(sooner);
	});

	test('passes at any time with another amount', () => {
		const others = eachTwoWeeks(8).map((row) => ({ ...row, amount_cents: 100 }));

		expect(foundFor(next, others)).toEqual([]);
	});
});
