import {
	allAmountKeysOf,
	amountKeyOf,
	compareKeys,
	differentInvoiceText,
	isToldApart,
	keyOf,
	mayBeOneInvoice,
	numberKeyOf,
	type Comparison,
} from '../../../nodes/PartnerPayments/ledger/payment';
import { payableOf, paymentOf } from './ledgerRuns';

const keyWith = (reference: string): string => keyOf(paymentOf(reference));

test.each<[one: string, other: string, numbers: ReturnType<typeof compareKeys>]>([
	['INV-7', 'inv 7', 'sameReference'],
	['INV-7', 'Bill 7', 'sameNumber'],
	['A-7', 'B-7', 'different'],
	['INV-7', 'INV-8', 'different'],
])('the numbers of %s and %s are: %s', (one, other, numbers) => {
	expect(compareKeys(keyWith(one), keyWith(other))).toBe(numbers);
});

const SAME: Comparison = {
	keys: [keyWith('INV-7'), keyWith('inv 7')],
	isSamePayee: true,
	isSameAmount: true,
	isToldApart: () => false,
};

test.each<[changes: Partial<Comparison>, expected: boolean]>([
	[{}, true],
	[{ isSameAmount: false }, true],
	[{ isSamePayee: false }, true],
	[{ isSamePayee: false, isSameAmount: false }, false],
])('two payments of one reference may be one invoice, with %j: %p', (changes, expected) => {
	expect(mayBeOneInvoice({ ...SAME, ...changes })).toBe(expected);
});

test.each<[other: string, changes: Partial<Comparison>, expected: boolean]>([
	['Bill 7', {}, true],
	['Bill 7', { isSameAmount: false }, false],
	['Bill 7', { isSamePayee: false }, false],
	['INV-7-2', {}, false],
	['INV-8', {}, false],
])('INV-7 and %s may be one invoice, with %j: %p', (other, changes, expected) => {
	const keys: Comparison['keys'] = [keyWith('INV-7'), keyWith(other)];

	expect(mayBeOneInvoice({ ...SAME, keys, ...changes })).toBe(expected);
});

test('a person can tell another payee or other words apart, but not one reference of one payee', () => {
	const toldApart: Comparison = { ...SAME, isToldApart: () => true };
	const otherWords: Comparison['keys'] = [keyWith('INV-7'), keyWith('Bill 7')];

	expect(mayBeOneInvoice(toldApart)).toBe(true);
	expect(mayBeOneInvoice({ ...toldApart, isSamePayee: false })).toBe(false);
	expect(mayBeOneInvoice({ ...toldApart, keys: otherWords })).toBe(false);
});

test('the keys of a payable that is funded by its ID are its own', () => {
	const payable = payableOf('pay-1');

	expect(keyOf(payable)).toBe('payable pay-1');
	expect(numberKeyOf(payable)).toBe('payable pay-1');
	expect(amountKeyOf(payable)).toBe('payable pay-1');
});

test('a workspace is the same one in any case', () => {
	const payment = paymentOf('INV-7');
	const upper = { ...payment, workspaceId: payment.workspaceId.toUpperCase() };

	expect(keyOf(upper)).toBe(keyOf(payment));
	expect(numberKeyOf(upper)).toBe(numberKeyOf(payment));
});

test.each<[reference: string, numbers: string[]]>([
	['INV-1042-2', ['1422', '142', '2']],
	['INV 12-34', ['1234', '12', '34']],
	['e9bf5b41-b05a-4690-8e59-1f8f5010d657', ['657', '469', '41']],
	['Fee', ['eef']],
])('a payment with the reference %s is looked for by the numbers %j', (reference, numbers) => {
	const found = allAmountKeysOf(paymentOf(reference, { amount: 100 }));

	expect(found.sort()).toEqual(numbers.map((number) => `${number} 100`).sort());
});

test.each<[reference: string, other: string]>([
	['INV-1042', 'Bill 1042'],
	['June 2026', '06/2026'],
	['Retainer May', 'May retainer'],
	['INV-ABC', 'Invoice no. ABC'],
])('%s is found by its amount where the ledger has %s, in whichever workspace', (one, other) => {
	const elsewhere = { workspaceId: '00000000-0000-4000-8000-000000000000' };
	const paid = paymentOf(other, elsewhere);

	expect(allAmountKeysOf(paymentOf(one))).toContain(amountKeyOf(paid));
	expect(allAmountKeysOf(paymentOf(one, { amount: 1 }))).not.toContain(amountKeyOf(paid));
});

describe('a person tells a payment apart', () => {
	const known = paymentOf('INV-7', { payee: 'eve@example.com' });
	const payment = paymentOf('INV-8', { amount: 100 });

	test('with a line that names both', () => {
		const line = differentInvoiceText(payment, known);

		expect(line).toBe('INV-8 1.00 ada@example.com is not INV-7 250.00 eve@example.com');
		expect(isToldApart({ ...payment, differentInvoices: [line] }, known)).toBe(true);
	});

	test('with the dollar signs that messages have', () => {
		const line = 'INV-8 $1.00 ada@example.com is not INV-7 $250.00 eve@example.com';

		expect(isToldApart({ ...payment, differentInvoices: [line] }, known)).toBe(true);
	});

	test.each(['held', 'prepared', 'sending'])(
		'from one that is %s until that one is paid',
		(state) => {
			const line = differentInvoiceText(payment, { ...known, state });
			const told = { ...payment, differentInvoices: [line] };

			expect(isToldApart(told, { ...known, state })).toBe(true);
			expect(isToldApart(told, { ...known, state: 'funded' })).toBe(false);
		},
	);

	test('with no other line, and with none', () => {
		const other = differentInvoiceText(payment, paymentOf('INV-9'));

		expect(isToldApart({ ...payment, differentInvoices: [other] }, known)).toBe(false);
		expect(isToldApart(payment, known)).toBe(false);
	});
});
