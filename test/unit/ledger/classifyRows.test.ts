import type { Verdict } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import {
	classifyRows,
	heldRowOf,
	rowsOf,
} from '../../../nodes/PartnerPayments/ledger/protocol/classifyRows';
import { contentOf } from '../../../nodes/PartnerPayments/ledger/protocol/rowStates';
import { rowOf, toRow, type Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { useFakeTime } from '../../support/fakeTime';
import { payableOf, paymentOf } from './ledgerRuns';

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const agoOf = (ms: number): string => new Date(NOW - ms).toISOString();

useFakeTime();

beforeEach(() => {
	jest.setSystemTime(NOW);
});

const ADA = paymentOf('INV-1', { payableId: undefined });

/** A row of a payment that was just prepared, unless told otherwise. */
function rowWith(changes: Partial<Row>, payment: Payment = paymentOf('INV-1')): Row {
	const run = { state: 'prepared', claim: 'c', execution: '1', environment: 'sandbox' } as const;
	const times = { createdAt: agoOf(0), updatedAt: agoOf(0) };

	return { ...toRow({ ...rowOf(payment, run), ...times }), ...changes };
}

/** What these rows say about a payment, as far as they concern it. */
const verdictOf = (rows: Row[], payment: Payment = ADA): Verdict =>
	classifyRows(payment, rowsOf(payment, rows, 'sandbox'), 'sandbox');

test.each<[why: string, changes: Partial<Row>, kind: Verdict['kind']]>([
	['it may still be answered', { state: 'sending', updatedAt: agoOf(20 * MINUTE_MS - 1) }, 'busy'],
	['its answer is late', { state: 'sending', updatedAt: agoOf(20 * MINUTE_MS) }, 'unconfirmed'],
	['its time cannot be read', { state: 'sending', updatedAt: '' }, 'unconfirmed'],
	['a run makes it ready', { state: 'preparing', updatedAt: agoOf(5 * MINUTE_MS - 1) }, 'busy'],
	['its run is gone', { state: 'preparing', updatedAt: agoOf(5 * MINUTE_MS) }, 'new'],
	['it is ready', {}, 'prepared'],
	['it has no payable', { payable_id: '' }, 'new'],
	['it was held with a payable', { state: 'held' }, 'prepared'],
	['a person found that it was not paid', { state: 'not_paid' }, 'prepared'],
	['its payable lost to another one', { state: 'surplus' }, 'new'],
	['a person wrote the state', { state: 'done?' }, 'unconfirmed'],
	['a person deleted the state', { state: '' }, 'unconfirmed'],
	['it was answered after it had been resolved', { state: 'held', funding_id: 'f' }, 'unconfirmed'],
	[
		'its resolution knew its funding',
		{ state: 'not_paid', funding_id: 'f', claim: '' },
		'prepared',
	],
	['it is void', { state: 'void' }, 'refused'],
	['it waits for its deposit', { state: 'awaiting_deposit' }, 'done'],
	['it is of another payee', { payee: 'eve@example.com' }, 'refused'],
	['its payee was deleted', { payee: '', amount_cents: 1 }, 'refused'],
	['its amount was deleted', { payee: 'eve@example.com', amount_cents: null }, 'refused'],
	['it is of another environment', { environment: 'production' }, 'refused'],
])('what a row says when %s: %j', (_, changes, kind) => {
	expect(verdictOf([rowWith(changes)]).kind).toBe(kind);
});

test.each<[why: string, changes: Partial<Row>]>([
	['nothing was sent for it', { environment: 'production', state: 'surplus' }],
	['it has another number', { environment: 'production', key: 'x', number_key: 'x' }],
])('a row of another environment says nothing when %s', (_, changes) => {
	expect(verdictOf([rowWith({ payable_id: '', ...changes })])).toEqual({ kind: 'new' });
});

test('the environment that a reference was used with is named', () => {
	const verdict = verdictOf([rowWith({ environment: 'production', state: 'funded' })]);

	expect(verdict).toMatchObject({
		kind: 'refused',
		error: { message: expect.stringContaining('"production"') },
	});
});

test.each([
	['held', true],
	['unconfirmed', true],
	['awaiting_deposit', true],
	['funded', false],
	['paid', false],
	['void', false],
])(
	'a reference that is %s in another environment may be resolved as not paid: %p',
	(state, isOffered) => {
		const verdict = verdictOf([rowWith({ environment: 'production', state })]);

		const hint = verdict.kind === 'refused' ? verdict.error.hint : '';
		expect(hint).toContain('Search the service');
		expect(hint.includes('"Not Paid"')).toBe(isOffered);
	},
);

test('the payment that an invoice was paid with is named', () => {
	const verdict = verdictOf([rowWith({ state: 'funded', payee: 'eve@example.com' })]);

	expect(verdict).toMatchObject({
		kind: 'refused',
		error: { message: expect.stringContaining('$250.00 to eve@example.com') },
	});
});

test('of several rows, the one that was paid counts, then one that is void, then one without an answer', () => {
	const unconfirmed = rowWith({ state: 'unconfirmed' });
	const sending = rowWith({ state: 'sending' });
	const voidRow = rowWith({ state: 'void' });
	const paid = rowWith({ state: 'paid' });

	const kinds = [
		[sending, unconfirmed, voidRow, paid],
		[sending, unconfirmed, voidRow],
		[sending, unconfirmed],
		[sending],
	].map((rows) => verdictOf(rows).kind);

	expect(kinds).toEqual(['done', 'refused', 'unconfirmed', 'busy']);
});

test('what was sent counts before what another payee only prepared', () => {
	const other = rowWith({ payee: 'eve@example.com' });

	expect(verdictOf([other, rowWith({ state: 'funded' })]).kind).toBe('done');
	expect(verdictOf([other, rowWith({})]).kind).toBe('refused');
});

test('a verdict has what the row knows, and nothing that it does not', () => {
	const empty = { payable_id: '', approved_by: '' };
	const full = {
		payable_id: 'pay-1',
		funding_id: 'fund-1',
		approved_by: 'Ann',
		pdf_url: 'https://example.com/1.pdf',
		paid_at: '2026-04-30T00:00:00.000Z',
	};

	const first = verdictOf([rowWith({ state: 'funded', ...empty })]);
	const second = verdictOf([rowWith({ state: 'funded', ...full })]);

	expect(first).toEqual({ kind: 'done', known: { state: 'funded', at: agoOf(0) } });
	expect(second).toEqual({
		kind: 'done',
		known: {
			state: 'funded',
			at: full.paid_at,
			payableId: 'pay-1',
			fundingId: 'fund-1',
			approvedBy: 'Ann',
			pdfUrl: full.pdf_url,
		},
	});
});

test('what a person resolved as not paid is prepared, with the funding that they resolved', () => {
	const resolved = rowWith({ state: 'not_paid', funding_id: 'fund-1', claim: '' });

	expect(verdictOf([resolved])).toMatchObject({
		kind: 'prepared',
		known: { fundingId: 'fund-1', resolvedFundingId: 'fund-1' },
	});
	expect(verdictOf([rowWith({})])).not.toHaveProperty('known.resolvedFundingId');
});

test('what is unconfirmed knows the funding that was answered after Not Paid, in its own row or in another one', () => {
	const late = rowWith({ state: 'not_paid', funding_id: 'fund-1' });
	const resolved = rowWith({ state: 'not_paid', claim: '', funding_id: 'fund-2' });
	const unconfirmed = rowWith({ state: 'unconfirmed' });

	const known = { resolvedFundingId: 'fund-1' };
	expect(verdictOf([late])).toMatchObject({ kind: 'unconfirmed', known });
	expect(verdictOf([unconfirmed, resolved])).toMatchObject({
		kind: 'unconfirmed',
		known: { resolvedFundingId: 'fund-2' },
	});
	expect(verdictOf([unconfirmed])).not.toHaveProperty('known.resolvedFundingId');
	expect(verdictOf([rowWith({ state: 'funded' }), resolved])).not.toHaveProperty(
		'known.resolvedFundingId',
	);
});

test('of two earlier rows, the one with a payable is named: it may have been funded in the service', () => {
	const held = rowWith({ id: 1, state: 'held', payable_id: '' });
	const prepared = rowWith({ id: 2, payable_id: 'pay-9' });

	const verdict = verdictOf([held, prepared], paymentOf('inv 1', { payableId: undefined }));

	expect(verdict).toMatchObject({ kind: 'refused', known: { payableId: 'pay-9' } });
});

test('of two rows with one payable, the one that was held after it was prepared is named: it may repeat a paid one', () => {
	const prepared = rowWith({ id: 1 });
	const held = rowWith({ id: 2, state: 'held' });

	const verdict = verdictOf([prepared, held], { ...ADA, amount: 26_000 });

	expect(verdict).toMatchObject({
		kind: 'refused',
		known: { payableId: prepared.payable_id, state: 'held' },
		error: {
			message: expect.stringContaining('it is held'),
			hint: expect.stringContaining('operator of the service'),
		},
	});
});

describe('a reference in another spelling than one that was resolved as not paid', () => {
	const OTHER = paymentOf('inv 1', { payableId: undefined });
	const resolved = (changes: Partial<Row>): Row => rowWith({ state: 'not_paid', ...changes });

	test.each<[what: string, row: Row, kind: Verdict['kind']]>([
		['was sent without an answer', resolved({}), 'refused'],
		['was in a funding', resolved({ claim: '', funding_id: 'fund-1' }), 'refused'],
		['was never sent', resolved({ claim: '' }), 'new'],
		['had another payee', resolved({ payee: 'eve@example.com' }), 'new'],
		['had another amount', resolved({ amount_cents: 1 }), 'new'],
		['was in another environment', resolved({ environment: 'production' }), 'new'],
		['had other words', rowWith({ state: 'not_paid' }, paymentOf('Bill 1')), 'new'],
	])('is judged by whether that %s', (_, row, kind) => {
		expect(verdictOf([row], OTHER).kind).toBe(kind);
	});

	test('is told the one that was sent', () => {
		const verdict = verdictOf([resolved({})], OTHER);

		expect(verdict).toMatchObject({ kind: 'refused', known: { state: 'not_paid' } });
		expect(verdict.kind === 'refused' && verdict.error.hint).toContain('"INV-1"');
	});
});

describe('a payable that is funded by its ID', () => {
	const BY_ID = payableOf('pay-INV-1');
	const refusalOf = (verdict: Verdict): string =>
		verdict.kind === 'refused' ? verdict.error.message : verdict.kind;

	test('is refused with the name of the reference that it belongs to', () => {
		const verdict = verdictOf([rowWith({ state: 'surplus' })], BY_ID);

		expect(refusalOf(verdict)).toBe('Payable pay-INV-1 belongs to the unique reference "INV-1"');
	});

	test('is refused by its ID when it is void, and a reference by its name', () => {
		const ofPayable = rowWith({ state: 'void' }, BY_ID);

		expect(refusalOf(verdictOf([ofPayable], BY_ID))).toContain('Payable pay-INV-1 is void');
		expect(refusalOf(verdictOf([rowWith({ state: 'void' })]))).toContain('"INV-1" is void');
	});

	// A workspace belongs to one environment, so a row of it says what was paid, whatever the label.
	test.each([
		['the same one under another environment', {}, 'done'],
		[
			'another one in another environment and workspace',
			{ workspace_id: '11111111-2222-4333-8444-555555555555' },
			'new',
		],
	])('is %s', (_, values, kind) => {
		const row = rowWith({ state: 'funded', environment: 'production', ...values }, BY_ID);

		expect(verdictOf([row], BY_ID).kind).toBe(kind);
	});

	test('is not that of rows without a payable', () => {
		const other = rowWith({ state: 'funded', payable_id: '' }, paymentOf('INV-2'));

		expect(verdictOf([other])).toEqual({ kind: 'new' });
	});

	test.each<[state: string, kind: Verdict['kind']]>([
		['funded', 'done'],
		['unconfirmed', 'unconfirmed'],
		['preparing', 'new'],
	])('and has a reference in this run is %s: the reference is %s', (state, kind) => {
		const payment = paymentOf('INV-1');

		expect(verdictOf([rowWith({ state }, BY_ID)], payment).kind).toBe(kind);
	});

	test.each<[state: string, kind: Verdict['kind']]>([
		['funded', 'refused'],
		['surplus', 'new'],
	])('and was given to another reference before, which is %s, is %s', (state, kind) => {
		const other = rowWith({ state, payable_id: 'pay-INV-1' }, paymentOf('INV-2'));

		expect(verdictOf([other], paymentOf('INV-1')).kind).toBe(kind);
	});
});

test('what a row says of its payment is unconfirmed when its answer is late', () => {
	const late = rowWith({ state: 'sending', updatedAt: '', amount_cents: null });

	expect(contentOf(late)).toEqual({
		reference: 'INV-1',
		payee: 'ada@example.com',
		amount: 0,
		state: 'unconfirmed',
		at: agoOf(0),
		hasPayable: true,
	});
	expect(contentOf(rowWith({ state: 'held', payable_id: '' }))).toMatchObject({
		hasPayable: false,
	});
	expect(contentOf(rowWith({ state: 'held' }))).toMatchObject({ state: 'held', amount: 25_000 });
});

test('the row that holds a payment has its payee and amount', () => {
	const others = [
		rowWith({ state: 'prepared' }),
		rowWith({ state: 'held', payee: 'eve@example.com' }),
		rowWith({ state: 'held', amount_cents: 1 }),
	];
	const held = rowWith({ state: 'held' });

	expect(heldRowOf({ payment: ADA, rows: others })).toBeUndefined();
	expect(heldRowOf({ payment: ADA, rows: [...others, held] })).toBe(held);
});
