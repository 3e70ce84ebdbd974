import {
	comesTooSoon,
	comesTooSoonForVendor,
} from '../../../nodes/PartnerPayments/ledger/protocol/vendorRhythm';
import type { Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { NOW, rowFor, timeAgo } from './duplicateFinding';
import { paymentOf } from './ledgerRuns';

/** Payments that were made so many days ago. */
const paidDaysAgo = (days: number[]): Row[] =>
	days.map((age) => rowFor(paymentOf(`EC-${100 + age}`), { createdAt: timeAgo(age) }));

const NEW = paymentOf('EC-1000');

const TEN_TIMES = [94, 84, 74, 64, 54, 44, 34, 24, 14, 4];

test.each([
	['one that is paid each month', [70, 40, 10]],
	['one that was paid twice', [40, 10]],
	['one that was paid once, less than a month ago', [22]],
	['one whose longest time is twice the shortest', [70, 30, 10]],
	['one that was irregular before its last ten times', [900, ...TEN_TIMES]],
])('a payment comes too soon at %s', (_, daysAgo) => {
	expect(comesTooSoon(NEW, paidDaysAgo(daysAgo), NOW)).toBe(true);
});

test.each([
	['one that was never paid', []],
	['one that was paid once, about a month ago', [23]],
	['one that is paid about each ten days', [30, 21, 10]],
	['one that is sometimes paid twice a day', [70, 40, 10, 10]],
	['one whose longest time is more than twice the shortest', [71, 30, 10]],
	['one that was irregular within its last ten times', [900, ...TEN_TIMES.slice(1)]],
])('a payment comes in time at %s', (_, daysAgo) => {
	expect(comesTooSoon(NEW, paidDaysAgo(daysAgo), NOW)).toBe(false);
});

test('a later day comes in time after one payment, and the very next number does not', () => {
	const wages = rowFor(paymentOf('Wages 4.12.'), { createdAt: timeAgo(7) });

	expect(comesTooSoon(paymentOf('Wages 11.12.'), [wages], NOW)).toBe(false);
	expect(comesTooSoon(paymentOf('EC-111'), paidDaysAgo([10]), NOW)).toBe(true);
});

test('the very next number comes too soon where a vendor is paid each month', () => {
	const monthly = paidDaysAgo([70, 40, 10]);

	expect(comesTooSoon(paymentOf('EC-111'), monthly, NOW)).toBe(true);
});

describe('whatever the amounts are', () => {
	test.each([
		['after three regular times', [96, 66, 36, 6], true],
		['after two of them', [66, 36, 6], false],
		['about a month later', [120, 90, 60, 30], false],
		['where the times are not regular', [96, 90, 36, 6], false],
		['where a loop paid several', [6.003, 6.002, 6.001, 6], false],
	])('a payment comes too soon %s: %j, %p', (_, daysAgo, expected) => {
		expect(comesTooSoonForVendor(NEW, paidDaysAgo(daysAgo), NOW)).toBe(expected);
	});
});

describe('the dates of the invoices say when payments come', () => {
	/** Invoices of these dates, all paid ten days ago. */
	const dated = (...dates: string[]): Row[] =>
		dates.map((invoiceDate, index) =>
			rowFor(paymentOf(`EC-${101 + index}`, { invoiceDate }), { createdAt: timeAgo(10) }),
		);
	const of = (invoiceDate: string) => paymentOf('EC-1000', { invoiceDate });

	test.each([
		['soon after the only one', ['2026-05-01'], '2026-05-20', true],
		['soon before the only one', ['2026-05-20'], '2026-05-01', true],
		['about a month after the only one', ['2026-04-01'], '2026-04-25', false],
		['between two of a month', ['2026-05-01', '2026-03-01', '2026-04-01'], '2026-04-15', true],
		['a month before the first', ['2026-05-01', '2026-04-01'], '2026-03-01', false],
		['a month after the last', ['2026-04-01', '2026-05-01'], '2026-06-01', false],
	])('one comes %s: %j, %s, %p', (_, others, date, expected) => {
		expect(comesTooSoon(of(date), dated(...others), NOW)).toBe(expected);
	});

	test('also whatever the amounts are', () => {
		const monthly = dated('2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01');

		expect(comesTooSoonForVendor(of('2026-05-12'), monthly, NOW)).toBe(true);
		expect(comesTooSoonForVendor(of('2026-06-01'), monthly, NOW)).toBe(false);
	});

	test.each<[what: string, other: Partial<Row>]>([
		['has none', { invoice_date: '' }],
		['was edited into none', { invoice_date: 'May' }],
	])('unless another one %s: then it counts when they were made', (_, other) => {
		const rows = dated('2026-03-01', '2026-04-01').map((row, index) => ({
			...row,
			...(index === 0 ? other : {}),
			createdAt: timeAgo(40 - 30 * index),
		}));

		expect(comesTooSoon(of('2026-05-01'), rows, NOW)).toBe(true);
		expect(comesTooSoon(paymentOf('EC-1000'), dated('2026-03-01'), NOW)).toBe(true);
	});
});

test('what was made after a payment says nothing of when it comes', () => {
	const rows = paidDaysAgo([50, 20, 6]);

	expect(comesTooSoon(NEW, rows, NOW)).toBe(false);
	expect(comesTooSoon(NEW, rows, Date.parse(timeAgo(10)))).toBe(true);
});

test('what was never paid says nothing of how often a vendor is paid', () => {
	const [first, second] = paidDaysAgo([70, 40]);
	const rows = [first, second].flatMap((row) => row ?? []);
	const held = rowFor(paymentOf('EC-1'), { state: 'held', createdAt: timeAgo(15) });
	const voided = rowFor(paymentOf('EC-2'), { state: 'void', createdAt: timeAgo(12) });

	expect(comesTooSoon(NEW, [...rows, held], Date.parse(timeAgo(10)))).toBe(false);
	expect(comesTooSoon(NEW, [...rows, held, voided], Date.parse(timeAgo(20)))).toBe(true);
});
