import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import { findByNumber } from '../../../nodes/PartnerPayments/ledger/protocol/vendorNumbers';
import type { Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { NOW, rowFor, timeAgo } from './duplicateFinding';
import { paymentOf } from './ledgerRuns';

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

/** What a payment may repeat by its number: the references, and what they share with it. */
const foundFor = (payment: Payment, rows: Row[]): string[] =>
	findByNumber(payment, rows).map(({ row, likeness }) => `${row.reference}: ${likeness}`);

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
