import { differentInvoiceText, type Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import type { PossibleDuplicate } from '../../../nodes/PartnerPayments/ledger/protocol/invoiceRows';
import { type Likeness, likenessOf } from '../../../nodes/PartnerPayments/ledger/protocol/likeness';
import type { Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { DAY_MS } from '../../../nodes/PartnerPayments/shared/dates';
import {
	DAYS,
	find,
	findIn,
	NOW,
	referencesOf,
	rowFor,
	timeAgo,
	waitingFor,
} from './duplicateFinding';
import { paymentOf } from './ledgerRuns';

/** At the company of all other vendors here. */
const EVE = { payee: 'eve@example.com' };
/** Of another company. */
const MAX = { payee: 'max@example.org' };

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

const [FIRST, TWIN] = [paymentOf('INV-7'), paymentOf('INV-8')];

describe('the days in which a payment of the same payee and amount counts', () => {
	/** A vendor that got an amount once is expected again after a month, unless a reference has a later date. */
	const [EARLIER, LATER] = [paymentOf('Wages 4.12.'), paymentOf('Wages 18.12.')];

	test.each<[when: string, createdAt: string, expected: string[]]>([
		['the moment in which they begin', timeAgo(DAYS), [EARLIER.reference]],
		['a moment before that', new Date(NOW - DAYS * DAY_MS - 1).toISOString(), []],
	])('count it from %s', (_, createdAt, expected) => {
		const found = find(LATER, [rowFor(EARLIER, { createdAt })]);

		expect(referencesOf(found)).toEqual(expected);
	});

	const ofTwelveDaysAgo = rowFor(EARLIER, { createdAt: timeAgo(12) });

	test.each(['held', 'not_paid'])(
		'are those before this payment was held, so that time alone lets nothing pass: it is %s now',
		(state) => {
			const wasHeld = waitingFor(LATER, { id: 2, createdAt: timeAgo(10), state });

			expect(referencesOf(find(LATER, [ofTwelveDaysAgo, wasHeld]))).toEqual([EARLIER.reference]);
		},
	);

	test('end before what is older than them, also where this payment was held', () => {
		const held = waitingFor(LATER, { id: 2, createdAt: timeAgo(4) });

		expect(find(LATER, [ofTwelveDaysAgo, held])).toEqual([]);
	});

	test.each<[what: string, other: Row]>([
		["another vendor's payment was held", waitingFor({ ...LATER, ...MAX, amount: 100 })],
		['this one was prepared', waitingFor(LATER, { state: 'prepared' })],
	])('are not those before %s', (_, other) => {
		const rows = [ofTwelveDaysAgo, { ...other, id: 2, createdAt: timeAgo(10) }];

		expect(find(LATER, rows)).toEqual([]);
	});

	test('end, too, for one with its number in another series', () => {
		const old = rowFor(paymentOf('A-7'), { createdAt: timeAgo(24) });
		const recent = rowFor(paymentOf('A-7'));

		expect(find(paymentOf('B-7'), [old])).toEqual([]);
		expect(referencesOf(find(paymentOf('B-7'), [recent]))).toEqual(['A-7']);
	});

	test('do not end for one with its number at another address of its company, with another amount', () => {
		const old = rowFor(paymentOf('INV-7', { amount: 100 }), { createdAt: timeAgo(300) });

		expect(referencesOf(find(paymentOf('INV-7', EVE), [old]))).toEqual(['INV-7']);
		expect(find(paymentOf('INV-7', MAX), [old])).toEqual([]);
	});

	test('do not end for one with the date that is its number', () => {
		const old = rowFor(paymentOf('May 2026', { amount: 100 }), { createdAt: timeAgo(300) });

		expect(referencesOf(find(paymentOf('Fee May 2026'), [old]))).toEqual(['May 2026']);
		expect(find(paymentOf('Fee May 2026', EVE), [old])).toEqual([]);
	});

	test('do not end for what may be the rest of the same invoice, and for nothing else', () => {
		const createdAt = timeAgo(300);
		const invoice = rowFor(paymentOf('INV-7', { amount: 100 }), { createdAt });
		const rest = rowFor(paymentOf('INV-7-2'), { createdAt });
		const other = rowFor(paymentOf('INV-9-2'), { createdAt });
		const withItsNumber = rowFor(paymentOf('WEB-9-3'), { createdAt });
		const recent = rowFor(paymentOf('INV-9'));

		expect(referencesOf(find(paymentOf('INV-7-3'), [invoice, rest, other]))).toEqual([
			'INV-7',
			'INV-7-2',
		]);
		expect(find(paymentOf('INV-7-3'), [withItsNumber])).toEqual([]);
		expect(referencesOf(find(paymentOf('INV-7-3'), [invoice, withItsNumber]))).toEqual(['INV-7']);
		expect(referencesOf(find(paymentOf('INV-8'), [recent, other]))).toEqual(['INV-9']);
	});

	test('end for one whose number was held beside an invoice that was never paid', () => {
		const createdAt = timeAgo(30);
		const ofLastMonth = rowFor(paymentOf('SUB-7781-11'), { createdAt });
		const mistake = waitingFor(paymentOf('7781'), { createdAt, state: 'not_paid' });

		expect(find(paymentOf('SUB-7781-12'), [ofLastMonth, mistake])).toEqual([]);
	});

	test('end for an amount and a number that were swapped', () => {
		const swapped = paymentOf('71', { amount: 9400 });
		const invoice = paymentOf('94', { amount: 7100 });

		expect(find(invoice, [rowFor(swapped, { createdAt: timeAgo(300) })])).toEqual([]);
		expect(referencesOf(find(invoice, [rowFor(swapped)]))).toEqual(['71']);
	});

	test.each([
		['INV-7', 'Bill 7'],
		['INV-7', 'INV-7-2'],
		['June 2026', '06/2026'],
		['Retainer May', 'May retainer'],
	])("do not end for another vendor's %s with the amount of %s", (reference, other) => {
		const old = rowFor(paymentOf(reference, EVE), { createdAt: timeAgo(300) });

		expect(referencesOf(find(paymentOf(other), [old]))).toEqual([reference]);
		expect(find(paymentOf(other, { amount: 100 }), [old])).toEqual([]);
	});
});

describe('a payment of the run', () => {
	test('counts for those behind it alone', () => {
		const payments = [FIRST, TWIN];

		expect(findIn(payments, FIRST, [])).toEqual([]);
		expect(findIn(payments, TWIN, [])).toEqual([
			{
				text: '"INV-7" to ada@example.com, which is in this run: same payee and amount',
				apart: {
					kind: 'line',
					line: 'INV-8 250.00 ada@example.com is not INV-7 250.00 ada@example.com',
				},
				mayBePaid: true,
				isResolved: false,
			},
		]);
	});

	test('counts as what the ledger has of it: of two that wait, the first one is not held', () => {
		const rows = [waitingFor(FIRST, { id: 1 }), waitingFor(TWIN, { id: 2 })];
		const payments = [TWIN, FIRST];

		expect(findIn(payments, FIRST, rows)).toEqual([]);
		expect(referencesOf(findIn(payments, TWIN, rows))).toEqual(['INV-7']);
	});

	test("counts where the ledger has another vendor's invoice with its reference", () => {
		const other = rowFor(paymentOf('INV-7', { ...EVE, amount: 100 }));

		expect(referencesOf(find(TWIN, [other], [FIRST]))).toEqual(['INV-7']);
	});

	test.each(['not_paid', 'surplus'])('counts where the ledger has it as %s', (state) => {
		const row = waitingFor(FIRST, { state });

		expect(referencesOf(find(TWIN, [row], [FIRST]))).toEqual(['INV-7']);
	});

	test('is named once', () => {
		expect(referencesOf(find(TWIN, [waitingFor(FIRST)], [FIRST]))).toEqual(['INV-7']);
	});

	test.each([
		['its own', FIRST, TWIN],
		["the other one's", TWIN, FIRST],
	])('is told apart with %s line', (_, one, other) => {
		const differentInvoices = [differentInvoiceText(one, other)];

		expect(find({ ...TWIN, differentInvoices }, [], [{ ...FIRST, differentInvoices }])).toEqual([]);
	});
});

test('wages with a name and a day are held neither beside those of a colleague nor beside those of last week', () => {
	const mia = { payee: 'mia@example.org' };
	const jon = { payee: 'jon@example.org' };
	const miasLast = rowFor(paymentOf('Wages Mia 11.12.2026', mia), { createdAt: timeAgo(7.5) });
	const jonsLast = rowFor(paymentOf('Wages Jon 11.12.2026', jon), { createdAt: timeAgo(7.5) });
	const rows = [miasLast, jonsLast];
	const miasWages = paymentOf('Wages Mia 18.12.2026', mia);

	expect(find(paymentOf('Wages Jon 18.12.2026', jon), rows, [miasWages])).toEqual([]);
	expect(find(miasWages, rows)).toEqual([]);
});

describe('of more than ten, ten are named', () => {
	const twelve = Array.from({ length: 12 }, (_, index) => paymentOf(`INV-${index + 10}`));

	test('of the run, the first ones', () => {
		const named = twelve.slice(0, 10).map(({ reference }) => reference);

		expect(referencesOf(find(FIRST, [], twelve))).toEqual(named);
	});

	test('of the ledger, those first that may have been paid', () => {
		const waiting = twelve.map((payment, index) => waitingFor(payment, { id: index + 1 }));
		const paid = rowFor(TWIN, { id: 13 });

		const found = referencesOf(find(FIRST, [...waiting, paid]));

		expect(found).toHaveLength(10);
		expect(found.slice(0, 2)).toEqual(['INV-8', 'INV-10']);
	});
});

describe('what is said of the other payment', () => {
	const line = 'INV-8 250.00 ada@example.com is not INV-7 250.00 ada@example.com';

	test.each<[what: string, row: Row, expected: Partial<PossibleDuplicate>]>([
		['paid', rowFor(FIRST), { mayBePaid: true, isResolved: false, apart: { kind: 'line', line } }],
		[
			'void',
			rowFor(FIRST, { state: 'void' }),
			{
				mayBePaid: true,
				isResolved: true,
				apart: { kind: 'line', line: `${line}, which is void` },
			},
		],
		[
			'sent in vain',
			rowFor(FIRST, { state: 'not_paid' }),
			{
				mayBePaid: false,
				isResolved: true,
				apart: { kind: 'line', line: `${line}, which is not_paid` },
			},
		],
		[
			'held',
			waitingFor(FIRST),
			{
				mayBePaid: false,
				isResolved: false,
				apart: { kind: 'line', line: `${line}, which is held` },
			},
		],
		[
			'unconfirmed',
			rowFor(FIRST, { state: 'unconfirmed' }),
			{ mayBePaid: true, isResolved: false, apart: { kind: 'unknown' } },
		],
	])('where it is %s', (_, row, expected) => {
		expect(find(TWIN, [row])).toMatchObject([expected]);
	});

	test('where it was sent in vain, and then paid with another amount', () => {
		const paid = rowFor({ ...FIRST, amount: FIRST.amount - 500 }, { id: 2 });

		const found = find(TWIN, [rowFor(FIRST, { state: 'not_paid' }), paid]);

		expect(found).toMatchObject([
			{
				text: expect.stringMatching(/^"INV-7" to ada@example\.com, which was paid on .*\$245\.00/),
				mayBePaid: true,
				isResolved: false,
				apart: { kind: 'line', line },
			},
		]);
	});

	test("where it was sent in vain, and another vendor's invoice with its number was paid", () => {
		const ofEve = rowFor({ ...FIRST, ...EVE }, { id: 2 });

		const found = find(TWIN, [rowFor(FIRST, { state: 'not_paid' }), ofEve]);

		const ofFirst = found.find(({ text }) => text.startsWith(`"INV-7" to ${FIRST.payee}`));
		expect(ofFirst).toMatchObject({ mayBePaid: false, isResolved: true });
	});

	test.each<[what: string, paid: Row]>([
		['as it was', rowFor(FIRST, { id: 2 })],
		['with another amount', rowFor({ ...FIRST, amount: FIRST.amount - 500 }, { id: 2 })],
	])('where a line told it apart before it was paid, %s', (_, paid) => {
		const apart = { ...TWIN, differentInvoices: [`${line}, which is not_paid`] };
		const unpaid = rowFor(FIRST, { state: 'not_paid' });

		expect(find(apart, [unpaid])).toEqual([]);
		expect(referencesOf(find(apart, [unpaid, paid]))).toEqual(['INV-7']);
	});

	test('where it is the same invoice, which was sent in vain with another amount', () => {
		const corrected = { ...FIRST, amount: FIRST.amount - 500 };

		const found = find(corrected, [rowFor(FIRST, { state: 'not_paid' })]);

		expect(found).toMatchObject([
			{
				mayBePaid: false,
				isResolved: true,
				apart: {
					kind: 'line',
					line: 'INV-7 245.00 ada@example.com is not INV-7 250.00 ada@example.com, which is not_paid',
				},
			},
		]);
	});

	test('where it waits, and is in this run', () => {
		const found = find(TWIN, [waitingFor(FIRST)], [FIRST]);

		expect(found).toMatchObject([
			{ mayBePaid: true, isResolved: false, apart: { kind: 'line', line } },
		]);
	});

	test("where it is another vendor's with the same number", () => {
		const row = rowFor(paymentOf('INV-8', { ...EVE, amount: 100 }));

		expect(find(TWIN, [row])).toMatchObject([
			{ text: expect.stringMatching(/^"INV-8" to eve@example\.com, .*: same invoice number$/) },
		]);
	});

	test('where it is the same invoice in another workspace', () => {
		const elsewhere = { ...TWIN, workspaceId: '00000000-0000-4000-8000-000000000000' };

		expect(find(TWIN, [rowFor(elsewhere)])).toMatchObject([{ apart: { kind: 'never' } }]);
		expect(find(TWIN, [rowFor({ ...elsewhere, ...EVE })])).toMatchObject([
			{ apart: { kind: 'line' } },
		]);
		expect(find(TWIN, [rowFor({ ...elsewhere, reference: 'INV-9' })])).toMatchObject([
			{ apart: { kind: 'line' } },
		]);
	});

	test('where it has the same number in another workspace, and another amount', () => {
		const elsewhere = { ...TWIN, workspaceId: '00000000-0000-4000-8000-000000000000' };

		const found = find({ ...TWIN, amount: TWIN.amount + 50 }, [rowFor(elsewhere)]);

		expect(found).toMatchObject([
			{
				text: expect.stringContaining('same invoice number'),
				apart: {
					kind: 'line',
					line: 'INV-8 250.50 ada@example.com is not INV-8 250.00 ada@example.com',
				},
			},
		]);
	});
});

describe('of two payments that wait, the first one is not held for the other one', () => {
	const other = waitingFor(FIRST, { id: 5 });

	test.each<[own: string, row: Row, expected: string[]]>([
		['waited longer', waitingFor(TWIN, { id: 4 }), []],
		['waited less', waitingFor(TWIN, { id: 6 }), ['INV-7']],
		['waited, and was not paid', waitingFor(TWIN, { id: 4, state: 'not_paid' }), ['INV-7']],
		["is another vendor's", waitingFor({ ...TWIN, ...EVE }, { id: 4 }), ['INV-7']],
	])('this one %s', (_, row, expected) => {
		const ofAda = find(TWIN, [row, other]).filter(({ text }) => text.includes(' to ada@'));

		expect(referencesOf(ofAda)).toEqual(expected);
	});
});

describe('an amount and a number that were swapped', () => {
	const wrong = { reference: '66.35', amount: 51_300 };
	const swapped = 'its amount and number, swapped';

	test.each<[what: string, other: Partial<Payment>, expected: Likeness | undefined]>([
		['are both alike', { reference: '513', amount: 6635 }, swapped],
		['are both alike, with one decimal', { reference: '513.0', amount: 6635 }, swapped],
		['have another number', { reference: '514', amount: 6635 }, undefined],
		['are of another vendor', { ...EVE, reference: '513', amount: 6635 }, undefined],
		['have words before the number', { reference: 'INV-513', amount: 6635 }, undefined],
		['have words behind the number', { reference: '513 X', amount: 6635 }, undefined],
		['have another amount', { reference: '513', amount: 12_345 }, undefined],
	])('where they %s', (_, other, expected) => {
		const row = rowFor({ ...FIRST, ...other });

		expect(likenessOf({ ...TWIN, ...wrong }, row)).toBe(expected);
	});

	test('are found in the ledger', () => {
		const row = rowFor({ ...FIRST, reference: '513', amount: 6635 });

		expect(referencesOf(find({ ...TWIN, ...wrong }, [row]))).toEqual(['513']);
	});
});

test('a number and an amount that may both be mistyped count in the run, too, beside those before', () => {
	const [first, second] = [
		paymentOf('CP-172', { amount: 35_400 }),
		paymentOf('CP-127', { amount: 34_500 }),
	];

	expect(referencesOf(findIn([first, second], second, []))).toEqual(['CP-172']);
	expect(findIn([first, second], first, [])).toEqual([]);
	expect(findIn([{ ...first, ...MAX }, second], second, [])).toEqual([]);
});

test('what is alike by its number is named before what else counts, whatever is newer', () => {
	const mistyped = rowFor(paymentOf('BC-20971'), { createdAt: timeAgo(20) });
	const others = ['BC-20985', 'BC-20990', 'BC-20997'].map((reference, index) =>
		rowFor(paymentOf(reference, { amount: index + 1 }), { createdAt: timeAgo(10 - index) }),
	);

	const found = find(paymentOf('BC-20971 for lamps', { amount: 999 }), [mistyped, ...others]);

	expect(referencesOf(found)).toEqual(['BC-20971', 'BC-20997', 'BC-20990', 'BC-20985']);
});
