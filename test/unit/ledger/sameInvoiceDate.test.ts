import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import {
	findBySameDate,
	withDateOfRows,
} from '../../../nodes/PartnerPayments/ledger/protocol/sameInvoiceDate';
import type { Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { find, findIn, referencesOf, rowFor, timeAgo, waitingFor } from './duplicateFinding';
import { paymentOf } from './ledgerRuns';

const MAY_4 = { invoiceDate: '2026-05-04' };
const MAY_5 = { invoiceDate: '2026-05-05' };

/** Paid so long ago that its amount does not count by itself. */
const paid = (reference: string, changes: Partial<Payment>): Row =>
	rowFor(paymentOf(reference, changes), { createdAt: timeAgo(200) });

const foundFor = (payment: Payment, rows: Row[]): string[] =>
	findBySameDate(withDateOfRows(payment, rows), rows, rows).map(({ reference }) => reference);

describe('an invoice with the date of another one of its vendor', () => {
	test.each<[what: string, changes: Partial<Payment>]>([
		['the same amount', MAY_4],
		['another amount', { ...MAY_4, amount: 777 }],
	])('is found with %s, whatever its number is, and however old the other one is', (_, changes) => {
		const found = find(paymentOf('INV-8', changes), [paid('INV-7', MAY_4)]);

		expect(found).toMatchObject([
			{ text: expect.stringMatching(/^"INV-7" .*: same payee and invoice date$/), mayBePaid: true },
		]);
	});

	test('is found in the same run', () => {
		const first = paymentOf('INV-7', { ...MAY_4, amount: 777 });
		const second = paymentOf('INV-8', MAY_4);

		expect(referencesOf(findIn([first, second], second, []))).toEqual(['INV-7']);
		expect(findIn([first, second], first, [])).toEqual([]);
	});

	test.each<[what: string, other: Row]>([
		['of another date', paid('INV-7', MAY_5)],
		['without a date', paid('INV-7', {})],
		['of another vendor', paid('INV-7', { ...MAY_4, payee: 'max@example.org', amount: 777 })],
	])('is not one beside an invoice %s', (_, other) => {
		expect(find(paymentOf('INV-8', { ...MAY_4, amount: 777 }), [other])).toEqual([]);
	});

	test('is not itself', () => {
		expect(foundFor(paymentOf('INV-8', MAY_4), [paid('INV-8', MAY_4)])).toEqual([]);
	});

	test('needs a date', () => {
		expect(foundFor(paymentOf('INV-8'), [paid('INV-7', {})])).toEqual([]);
	});
});

describe('the date that was given when a payment was held', () => {
	test('counts for it when another node pays it without one', () => {
		const held = waitingFor(paymentOf('INV-8', MAY_4));
		const other = paid('INV-7', MAY_4);

		expect(foundFor(paymentOf('INV-8'), [held, other])).toEqual(['INV-7']);
		expect(foundFor(paymentOf('INV-8', { amount: 777 }), [held, other])).toEqual([]);
		expect(foundFor(paymentOf('INV-8', MAY_5), [held, other])).toEqual([]);
	});

	test('counts for what was paid so', () => {
		const held = waitingFor(paymentOf('INV-7', MAY_4));
		const afterYes = paid('INV-7', {});
		const next = paymentOf('INV-8', MAY_4);

		const found = findBySameDate(next, [afterYes], [held, afterYes]);

		expect(found).toEqual([afterYes]);
	});
});

describe('a vendor that was paid for several invoices of one date', () => {
	const once = [paid('INV-1', MAY_4), paid('INV-2', { ...MAY_4, amount: 777 })];
	const twice = [...once, paid('INV-3', MAY_5), paid('INV-4', { ...MAY_5, amount: 777 })];

	test('once, is not known for that', () => {
		expect(foundFor(paymentOf('INV-9', { ...MAY_4, amount: 500 }), once)).toEqual([
			'INV-1',
			'INV-2',
		]);
	});

	test('more than once, is held only for the same amount', () => {
		expect(foundFor(paymentOf('INV-9', { ...MAY_4, amount: 500 }), twice)).toEqual([]);
		expect(foundFor(paymentOf('INV-9', { ...MAY_4, amount: 777 }), twice)).toEqual(['INV-2']);
	});

	test('more than once for the same invoice, is not known for that', () => {
		const again = [...once, paid('INV-3', MAY_5), paid('INV-3', { ...MAY_5, amount: 777 })];

		expect(foundFor(paymentOf('INV-9', { ...MAY_4, amount: 500 }), again)).toHaveLength(2);
	});

	test('but has sent nothing for the second ones, is not known for that', () => {
		const held = twice.map((row) => (row.amount_cents === 777 ? { ...row, state: 'held' } : row));

		expect(foundFor(paymentOf('INV-9', { ...MAY_4, amount: 500 }), held)).toHaveLength(2);
	});
});
