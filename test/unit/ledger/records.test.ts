import {
	attentionOf,
	mayNeedAttention,
} from '../../../nodes/PartnerPayments/ledger/protocol/attention';
import {
	type LedgerRecords,
	type RecordFilter,
	type RecordKey,
	type RecordOrder,
	type Resolution,
	type Wanted,
} from '../../../nodes/PartnerPayments/ledger/protocol/records';
import { toRow, where, type Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { paymentOf } from './ledgerRuns';
import { recordsOf, VALUES } from './recordsOf';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

const agoOf = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

/** A row as n8n returns it, which was just written. */
const rowWith = (changes: Partial<Row>): Row => ({
	...toRow({ ...VALUES, createdAt: agoOf(0), updatedAt: agoOf(0) }),
	...changes,
});

describe('a row needs attention #needs-attention', () => {
	test.each<[why: string, changes: Partial<Row>, attention: string | undefined]>([
		['without an answer', { state: 'unconfirmed' }, 'unconfirmed'],
		['with a state written by hand', { state: 'done?' }, 'unconfirmed'],
		[
			'with an answer after a person had resolved it',
			{ state: 'not_paid', funding_id: 'f1' },
			'unconfirmed',
		],
		['whose end was never written', { state: 'sending', updatedAt: agoOf(21) }, 'unrecorded'],
		[
			'whose answer was written in part',
			{ state: 'sending', funding_id: 'f1', updatedAt: agoOf(21) },
			'unrecorded',
		],
		['that a rule holds', { state: 'held' }, 'held'],
		['prepared for more than a day', { updatedAt: agoOf(DAY_MINUTES + 1) }, 'prepared'],
		['prepared for less than a day', { updatedAt: agoOf(DAY_MINUTES - 1) }, undefined],
		['that is being sent', { state: 'sending', updatedAt: agoOf(19) }, undefined],
		['that is funded', { state: 'funded', funding_id: 'f1' }, undefined],
		['that was funded long ago', { state: 'funded', updatedAt: agoOf(9 * DAY_MINUTES) }, undefined],
		[
			'that a person resolved long ago',
			{ state: 'not_paid', updatedAt: agoOf(9 * DAY_MINUTES) },
			undefined,
		],
		['that waits for its deposit', { state: 'awaiting_deposit', funding_id: 'f1' }, undefined],
		['that is paid', { state: 'paid' }, undefined],
		['that is void', { state: 'void', funding_id: 'f1' }, undefined],
		['that a person has resolved as not paid', { state: 'not_paid' }, undefined],
		['that lost to another one', { state: 'surplus' }, undefined],
	])('%s', async (_, changes, attention) => {
		const row = rowWith(changes);
		const { records } = await recordsOf([changes]);

		const listed = await records.list({ wanted: { kind: 'needsAttention' } }, 9);

		expect(attentionOf(row)).toBe(attention);
		// The conditions that the table is asked for leave out none of these.
		expect(listed).toHaveLength(attention === undefined ? 0 : 1);
	});
});

test('of what is done, no row is read that needs no attention', () => {
	const done = ['paid', 'funded', 'awaiting_deposit', 'void'];

	expect(mayNeedAttention()).toEqual(done.map((state) => where('state', 'neq', state)));
});

describe('rows are listed', () => {
	const ROWS = [
		{ reference: 'A', payee: 'zoe@example.com', amount_cents: 200 },
		{ reference: 'B', payee: 'Ann@example.com', amount_cents: 300 },
		{ reference: 'C', payee: 'bob@example.com', amount_cents: null },
		{ reference: 'D', payee: 'ann@example.com', amount_cents: 300 },
	];

	test.each<[order: RecordOrder, references: string]>([
		['newest', 'DCBA'],
		['oldest', 'ABCD'],
		['amount', 'DBAC'],
		['payee', 'DBCA'],
	])('sorted by %s #ledger-sorted', async (order, references) => {
		const { records } = await recordsOf(ROWS);

		const all = await records.list({}, Infinity, order);
		const first = await records.list({}, 2, order);

		expect(all.map(({ reference }) => reference).join('')).toBe(references);
		expect(first).toEqual(all.slice(0, 2));
	});

	test('by a status that is not needed for attention', async () => {
		const wanted: Wanted = { kind: 'states', states: ['paid', 'funded'] };
		const { records } = await recordsOf([{ state: 'funded' }, { state: 'held' }]);

		const listed = await records.list({ wanted }, 9);

		expect(listed.map(({ state }) => state)).toEqual(['funded']);
	});

	test('by amount, with one of nothing before those that were deleted', async () => {
		const { records } = await recordsOf(
			[null, 0, null].map((amount) => ({ amount_cents: amount })),
		);

		const listed = await records.list({}, 9, 'amount');

		expect(listed.map((row) => row.amount_cents)).toEqual([0, null, null]);
	});

	test.each<[what: string, filter: RecordFilter, others: Partial<Row>]>([
		['need attention', { wanted: { kind: 'needsAttention' } }, { state: 'paid' }],
		['are new', { since: agoOf(1) }, { createdAt: agoOf(3 * DAY_MINUTES) }],
	])('without all those that %s not', async (_, filter, others) => {
		const rows = Array.from({ length: 1_001 }, () => others);
		const { records, executions } = await recordsOf([...rows, { state: 'unconfirmed' }]);

		expect(await records.list(filter, 9)).toHaveLength(1);
		expect(executions).toEqual(['get']);
	});

	test('a page at a time: the newest one page, the highest of thousands no more than there are', async () => {
		// 7 and 2,501 share no factor, so each amount comes once, in another order than the rows.
		const rows = Array.from({ length: 2501 }, (_, index) => ({ amount_cents: (index * 7) % 2501 }));
		const { records, executions } = await recordsOf(rows);

		await records.list({}, 3);
		const newestReads = executions.splice(0);
		const highest = await records.list({}, 3, 'amount');

		expect(newestReads).toEqual(['get']);
		expect(executions).toEqual(['get', 'get', 'get']);
		expect(highest.map((row) => row.amount_cents)).toEqual([2500, 2499, 2498]);
	});
});

describe('the summary counts payments that were or may have been paid apart from others #ledger-counted', () => {
	test.each<[what: string, rows: Array<Partial<Row>>, sent: number, notSent: number]>([
		['nothing', [], 0, 0],
		['one that is held', [{ state: 'held' }], 0, 1],
		['one that is void', [{ state: 'void' }], 0, 1],
		['one whose answer is not known', [{ state: 'unconfirmed' }], 1, 0],
		['one that waits for its deposit', [{ state: 'awaiting_deposit' }], 1, 0],
		['one that was held, then paid', [{ state: 'held' }, { state: 'paid' }], 1, 0],
		['one that was paid, with a surplus row', [{ state: 'paid' }, { state: 'surplus' }], 1, 0],
		[
			'one number of two vendors',
			[{ state: 'paid' }, { state: 'held', payee: 'eve@example.com', amount_cents: 9 }],
			1,
			1,
		],
		['one that a run makes ready', [{ state: 'preparing' }], 0, 0],
		['a confirmation', [{ state: 'confirmed', key: 'confirmation' }], 0, 0],
	])('%s', async (_, rows, sent, notSent) => {
		const { records } = await recordsOf(rows);

		const summary = await records.summary();

		expect(summary).toMatchObject({ sent, notSent });
	});
});

test('the summary knows since when the table has payments', async () => {
	const { records } = await recordsOf([{ createdAt: agoOf(20) }, { createdAt: agoOf(10) }]);
	const empty = await recordsOf([]);

	expect(Date.parse((await records.summary()).since ?? '')).toBeCloseTo(
		Date.now() - 20 * MINUTE_MS,
		-4,
	);
	expect(await empty.records.summary()).toEqual({ sent: 0, notSent: 0, since: undefined });
});

const referencesOf = (rows: Array<{ reference: string }>): string =>
	rows.map(({ reference }) => reference).join('');

describe('rows are listed that', () => {
	const NOON = '2026-05-01T12:00:00.000Z';
	const EARLIER = '2026-05-01T11:59:59.999Z';
	const { workspaceId } = paymentOf('INV-1');

	test.each<[what: string, filter: RecordFilter, other: Partial<Row>]>([
		['have a payee', { payee: ' ADA@example.com' }, { payee: 'eve@example.com' }],
		['were written since a time', { since: NOON }, { createdAt: EARLIER }],
		['were written until a time', { until: NOON }, { createdAt: NOON }],
		['are of an environment', { environment: 'sandbox' }, { environment: 'production' }],
		['are of a workspace', { workspaceId: workspaceId.toUpperCase() }, { workspace_id: 'other' }],
		['have a reference', { reference: 'A' }, { reference: 'B' }],
		['have payments', {}, { state: 'preparing' }],
		['confirm no table', {}, { state: 'confirmed' }],
	])('%s: %j', async (_, filter, other) => {
		const createdAt = filter.until === undefined ? NOON : EARLIER;
		const { records } = await recordsOf([
			{ reference: 'A', createdAt },
			{ reference: 'B', createdAt, ...other },
		]);

		const listed = await records.list(filter, 9);

		expect(referencesOf(listed)).toBe('A');
	});
});

describe('a payment is found', () => {
	const { workspaceId } = paymentOf('INV-1');
	const others: Array<Partial<Row>> = [
		{ reference: 'other', key: 'other', payable_id: 'other' },
		{ environment: 'production' },
		{ workspace_id: 'other' },
	];

	test.each<[by: string, key: Partial<RecordKey>]>([
		['its reference in any spelling', { reference: 'inv 1' }],
		['its payable', { payableId: 'pay-INV-1' }],
	])('by %s, in its environment and workspace: %j', async (_, key) => {
		const { records } = await recordsOf([{}, ...others]);

		const found = await records.find({
			environment: 'sandbox',
			workspaceId: workspaceId.toUpperCase(),
			...key,
		});

		expect(found).toMatchObject([{ id: 1 }]);
	});

	test.each<[by: string, find: (records: LedgerRecords) => Promise<Row[]>]>([
		['funding', async (records) => await records.ofFunding('sandbox', 'f1')],
		[
			'claim',
			async (records) => await records.sentWith(rowWith({ claim: 'c1', environment: 'sandbox' })),
		],
	])('by its %s, in its environment', async (_, find) => {
		const own = { funding_id: 'f1', payable_id: 'p1', claim: 'c1' };
		const { records } = await recordsOf([{}, own, { ...own, environment: 'production' }]);

		expect(await find(records)).toMatchObject([{ id: 2 }]);
	});
});

describe('a person resolves', () => {
	/** Resolves the first of two rows; returns what came of it, and the rows. */
	async function resolve(changes: object, state: Resolution, meanwhile: Partial<Row> = {}) {
		const { records, rows } = await recordsOf([changes, {}]);
		const [row] = (await records.list({}, 1, 'oldest')).slice(0, 1);
		Object.assign(rows[0] ?? {}, meanwhile);

		return { resolved: await records.resolve(row ?? rowWith({}), state), rows };
	}

	test.each<[what: string, changes: Partial<Row>, state: Resolution, claim: string]>([
		['one that was sent, and keeps its claim', { state: 'unconfirmed' }, 'not_paid', 'claim-1'],
		['one that is ready, and takes its claim', { state: 'prepared' }, 'void', ''],
		[
			'one with a funding, and takes its claim',
			{ state: 'funded', funding_id: 'f' },
			'not_paid',
			'',
		],
		['one with a funding as void', { state: 'funded', funding_id: 'f' }, 'void', 'claim-1'],
		['one without a claim', { state: 'unconfirmed', claim: '' }, 'void', ''],
		['one whose state was deleted', { state: '' }, 'void', 'claim-1'],
	])('%s: %j', async (_, changes, state, claim) => {
		const { resolved, rows } = await resolve(changes, state);

		expect(resolved).toMatchObject({ state, claim, paid_at: '' });
		expect(rows[1]).toMatchObject({ state: 'prepared', claim: 'claim-1' });
	});

	test.each(['claim', 'state'])('one whose %s a person has deleted', async (column) => {
		const { resolved } = await resolve({ state: 'unconfirmed', [column]: null }, 'void');

		expect(resolved).toMatchObject({ state: 'void' });
	});

	test('nothing that was deleted meanwhile', async () => {
		const { records, rows } = await recordsOf([{}]);
		const [row] = await records.list({}, 1);
		rows.splice(0);

		expect(await records.resolve(row ?? rowWith({}), 'void')).toBeUndefined();
	});

	test('one as paid, with the time', async () => {
		const { resolved } = await resolve({ state: 'unconfirmed' }, 'paid');

		expect(Date.parse(resolved?.paid_at ?? '')).toBeGreaterThan(Date.now() - MINUTE_MS);
	});

	test.each<[what: string, meanwhile: Partial<Row>]>([
		['state', { state: 'funded' }],
		['claim', { claim: 'claim-2' }],
	])('nothing whose %s has changed since it was read', async (_, meanwhile) => {
		const { resolved, rows } = await resolve({ state: 'unconfirmed' }, 'void', meanwhile);

		expect(resolved).toBeUndefined();
		expect(rows[0]).toMatchObject(meanwhile);
	});
});

test('a linked deposit funds what waits for it, and nothing else', async () => {
	const own = { funding_id: 'f1', state: 'awaiting_deposit' };
	const { records, rows } = await recordsOf([
		own,
		{ ...own, environment: 'production' },
		{ ...own, funding_id: 'f2', payable_id: 'p2' },
	]);
	const link = records.depositLink({
		environment: 'sandbox',
		fundingId: 'f1',
		depositId: 'dep-1',
	});

	await link.begin(await records.ofFunding('sandbox', 'f1'));
	await link.complete();

	expect(rows.map(({ state, deposit_id: deposit }) => [state, deposit])).toEqual([
		['funded', 'dep-1'],
		['awaiting_deposit', ''],
		['awaiting_deposit', ''],
	]);
});
