import { randomUUID } from 'node:crypto';

import type { Rules } from '../../nodes/PartnerPayments/ledger/ledger';
import { nameOf, type Payment } from '../../nodes/PartnerPayments/ledger/payment';
import { classifyRows } from '../../nodes/PartnerPayments/ledger/protocol/classifyRows';
import type { LedgerRecords } from '../../nodes/PartnerPayments/ledger/protocol/records';
import type { Row } from '../../nodes/PartnerPayments/ledger/table/rows';
import type { TableStore } from '../../nodes/PartnerPayments/ledger/table/tableStore';
import {
	blocksOf,
	claimOf,
	begins,
	hourAgo,
	inAnHour,
	payableOf,
	kindsIn,
	paymentOf,
	prepareIn,
	rulesWith,
	verdictIn,
} from '../unit/ledger/ledgerRuns';
import { projectStoreOf, sender, storeOf, TestTable, unknownPayables } from './support/ledgerTable';
import { lost, withFirst } from './support/faultyStore';
import { useResource } from './support/resource';
import { sharedN8n } from './support/shared';

const n8n = useResource(sharedN8n, () => {});

const send = () => sender(n8n().url, n8n().client.session.apiKey);

let projectStore: TableStore | undefined;

/** The two ways to a table. */
const STORES: Array<[string, () => Promise<TableStore>]> = [
	['the project', async () => (projectStore ??= await projectStoreOf(n8n()))],
	['the public API', async () => await Promise.resolve(storeOf(send()))],
];

let table: TestTable;
let records: LedgerRecords;

async function useTable(store: TableStore): Promise<void> {
	table = await TestTable.add(n8n(), store);
	records = table.records();
}

const ada = paymentOf('INV-1');
const grace = paymentOf('INV-2', { payee: 'grace@example.com', amount: 100 });
const { workspaceId } = ada;
const environment = 'sandbox';
const PAID_AT = '2026-03-01T10:00:00.000Z';
const LATER = '2026-04-01T10:00:00.000Z';
const PAID_INV_1 = { payableId: 'pay-INV-1', paidAt: PAID_AT };

/** A payout that is unconfirmed, and one that is funded. */
async function oneUnconfirmed(): Promise<Row> {
	await (await claimOf(table.open(), ada)).leaveUnconfirmed();
	await (await claimOf(table.open(), grace)).complete('funded', 'fund-2');
	return await rowOf('INV-1');
}

async function rowOf(reference: string): Promise<Row> {
	const [row] = await records.find({ environment, workspaceId, reference });
	if (row === undefined) {
		throw new Error('There is no row');
	}
	return row;
}

const statesOf = async (reference: string): Promise<string[]> =>
	(await records.find({ environment, workspaceId, reference })).map(({ state }) => state);

type Filter = Parameters<LedgerRecords['list']>[0];

const ofStates = (...states: string[]): Filter => ({ wanted: { kind: 'states', states } });

describe.each(STORES)('over %s', (_, storeFor) => {
	beforeEach(async () => {
		await useTable(await storeFor());
	});

	describe('the rows of a table', () => {
		test('are listed, the newest first, by states, payee, reference, time and environment #ledger-lists-unconfirmed', async () => {
			const start = new Date().toISOString();
			await oneUnconfirmed();
			const references = async (filter: Filter, limit = Infinity): Promise<string[]> =>
				(await records.list(filter, limit)).map(({ reference }) => reference);
			expect(await references({})).toEqual(['INV-2', 'INV-1']);
			expect(await references({}, 1)).toEqual(['INV-2']);
			expect(await references(ofStates('unconfirmed'))).toEqual(['INV-1']);
			expect(await references(ofStates('paid', 'funded'))).toEqual(['INV-2']);
			expect(await references({ wanted: { kind: 'needsAttention' } })).toEqual(['INV-1']);
			expect(await references({ reference: 'INV-2' })).toEqual(['INV-2']);
			expect(await references({ reference: 'INV' })).toEqual([]);
			expect(await references({ payee: ' Grace@Example.com' })).toEqual(['INV-2']);
			expect(await references({ since: start })).toEqual(['INV-2', 'INV-1']);
			const later = new Date(Date.parse(start) + 3_600_000).toISOString();
			expect(await references({ since: later })).toEqual([]);
			expect(await references({ since: start, until: later })).toEqual(['INV-2', 'INV-1']);
			expect(await references({ until: start })).toEqual([]);
			expect(await references({ environment: 'production' })).toEqual([]);
		});

		test('are listed and found beyond one page of n8n', async () => {
			const payments = Array.from({ length: 260 }, (_, index) => paymentOf(`INV-${index}`));
			await prepareIn(table.open(), ...payments);
			expect(await records.list({}, Infinity)).toHaveLength(260);
			const statuses = await kindsIn(table.open(), ...payments);
			expect(statuses).toEqual(payments.map(() => 'prepared'));
		});

		test('are held by rules, by what the ledger knows #holds', async () => {
			const held = async (changes: Partial<Rules>, ...payments: Payment[]) => {
				const broken = await table.open().checkRules(payments, rulesWith(changes));
				return payments.map((payment) => broken.get(nameOf(payment))?.kind);
			};
			const holdDuplicatesSince = hourAgo();
			const alike = paymentOf('Invoice 1', { payee: ada.payee, amount: ada.amount });
			expect(await held({ holdNewPayees: true }, ada)).toEqual(['held']);
			expect(await held({ holdAbove: ada.amount - 1 }, ada)).toEqual(['held']);
			expect(await held({ holdAbove: ada.amount }, ada)).toEqual([undefined]);
			// Of two that are alike in one run, the first is paid.
			expect(await held({ holdDuplicatesSince }, ada, alike)).toEqual([undefined, 'held']);
			await (await claimOf(table.open(), ada)).complete('funded', 'fund-1');
			expect(await held({ holdNewPayees: true }, alike)).toEqual([undefined]);
			expect(await held({ holdDuplicatesSince }, alike)).toEqual(['held']);
			const ofSameNumber = { ...alike, amount: ada.amount + 1 };
			const ofOtherNumber = { ...ofSameNumber, reference: 'Invoice 99' };
			expect(await held({ holdDuplicatesSince }, ofSameNumber)).toEqual(['held']);
			expect(await held({ holdDuplicatesSince }, ofOtherNumber)).toEqual([undefined]);
			// The number counts in the days at another vendor, and at any age at its own.
			const ofOtherVendor = { ...ada, payee: 'max@example.org', amount: ada.amount + 1 };
			expect(await held({ holdDuplicatesSince }, ofOtherVendor)).toEqual(['held']);
			const later = { holdDuplicatesSince: inAnHour() };
			expect(await held(later, ofOtherVendor, alike)).toEqual([undefined, 'held']);
		});

		test('that are held are kept once, and paid when no rule holds them', async () => {
			for (let run = 0; run < 2; run += 1) {
				await table.open().hold([{ ...grace, payableId: undefined }]);
			}
			expect(await statesOf(grace.reference)).toEqual(['held']);
			await (await claimOf(table.open(), grace)).complete('funded', 'fund-1');
			expect(await statesOf(grace.reference)).toEqual(['funded']);
		});

		test('keep a reference that looks like a secret', async () => {
			const payment = paymentOf('Bearer 2026-0301');
			await (await claimOf(table.open(), payment)).complete('funded', 'fund-1');
			expect(await kindsIn(table.open(), payment)).toEqual(['done']);
		});
	});

	describe('a claim', () => {
		test('is withdrawn above the limit of the day, also by two runs at once #daily-limit-at-once', async () => {
			const rules = rulesWith({ maxPerDay: 30_000 });
			const beginnings = await Promise.all(
				[ada, paymentOf('INV-3')].map(
					async (payment) => await table.open().begin([payment], rules),
				),
			);
			expect(beginnings.filter(({ kind }) => kind === 'begun').length).toBeLessThan(2);
			const later = await table.open().begin([paymentOf('INV-4', { amount: 30_001 })], rules);
			const verdicts = later.kind === 'blocked' ? [...later.verdicts.values()] : [];
			expect(verdicts).toMatchObject([{ kind: 'overLimit' }]);
			expect(await statesOf('INV-4')).toEqual(['preparing']);
			const earlier = { ...rules, dayStart: inAnHour() };
			const tomorrow = await table.open().begin([paymentOf('INV-5')], earlier);
			expect(tomorrow.kind).toBe('begun');
		});

		test('is withdrawn for a possible duplicate that began at once: at most one passes #holds-at-once', async () => {
			const rules = rulesWith({ holdDuplicatesSince: hourAgo() });
			const { payee, amount } = ada;
			const payments = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'].map((name) =>
				paymentOf(name, { payee, amount, payableId: `pay-${name}` }),
			);
			const beginnings = await Promise.all(
				payments.map(async (payment) => await table.open().begin([payment], rules)),
			);
			expect(beginnings.filter(({ kind }) => kind === 'begun').length).toBeLessThan(2);
			const blocked = beginnings.flatMap((beginning) =>
				beginning.kind === 'blocked' ? [...beginning.verdicts.values()] : [],
			);
			expect(blocked.map(({ kind }) => kind)).toContain('held');
		});

		test('finds a payable that Funding: Create has funded, and the other way round #payable-of-another', async () => {
			await (await claimOf(table.open(), payableOf('pay-INV-1'))).complete('funded', 'fund-1');
			expect(await begins(table.open(), ada)).toBe(false);
			await (await claimOf(table.open(), grace)).complete('funded', 'fund-2');
			expect(await begins(table.open(), payableOf('pay-INV-2'))).toBe(false);
		});

		test.each(['prepared', 'not_paid', 'held'])(
			'leaves open what a person has written as %s while it was under way, and its funding is known #late-funding-id',
			async (state) => {
				const claim = await claimOf(table.open(), ada);
				await table.write((await rowOf('INV-1')).id, { state });

				await claim.complete('funded', 'fund-1');

				expect(await rowOf('INV-1')).toMatchObject({ state, funding_id: 'fund-1' });
				expect(await kindsIn(table.open(), ada)).toEqual(['unconfirmed']);
				expect(await begins(table.open(), ada)).toBe(false);
			},
		);

		test('is not open when its answer comes after a person has resolved it as not paid #answer-after-resolution', async () => {
			const claim = await claimOf(table.open(), ada);
			await table.write((await rowOf('INV-1')).id, { state: 'unconfirmed' });
			await records.resolve(await rowOf('INV-1'), 'not_paid');

			expect(await claim.complete('funded', 'fund-1')).toBe(true);

			expect(await kindsIn(table.open(), ada)).toEqual(['unconfirmed']);
		});

		test('has the ID of its funding when an event was there first #event-before-answer', async () => {
			const claim = await claimOf(table.open(), ada);
			await records.markPaid(environment, workspaceId, [PAID_INV_1]);

			await claim.complete('funded', 'fund-1');

			expect(await rowOf('INV-1')).toMatchObject({ state: 'paid', funding_id: 'fund-1' });
		});

		test('is not begun when its own rows are not shown to it', async () => {
			const stale = Object.create(table.store) as TableStore;
			stale.run = async (tableId, steps) => {
				await table.store.run(tableId, steps);
				return [];
			};
			await expect(table.open({ store: stale }).begin([ada])).rejects.toThrow(/does not show/);
			expect(await statesOf('INV-1')).toEqual(['preparing']);
		});

		test('makes surplus what else is prepared for its reference #other-prepared', async () => {
			const twin = { ...ada, payableId: 'pay-twin' };
			await prepareIn(table.open(), ada, twin);
			expect(await statesOf('INV-1')).toEqual(['prepared', 'prepared']);

			await (await claimOf(table.open(), ada)).complete('funded', 'fund-1');

			expect((await statesOf('INV-1')).sort()).toEqual(['funded', 'surplus']);
			expect(await kindsIn(table.open(), ada, payableOf('pay-twin'))).toEqual(['done', 'refused']);
			expect(await begins(table.open(), payableOf('pay-twin'))).toBe(false);
		});

		test.each([{ amount: 99_900 }, { reference: 'inv-1' }])(
			'is not begun over what was prepared meanwhile with other values: %j #prepared-with-other-values',
			async (change) => {
				const run = table.open();
				expect(await kindsIn(run, { ...ada, ...change })).toEqual(['new']);
				await prepareIn(table.open(), ada);
				const other = { ...ada, ...change, payableId: 'pay-other' };
				expect(blocksOf(await run.begin([other]), other)).toEqual(['refused']);
			},
		);

		test('is not begun when its own row is changed before it is alone #own-row-changed', async () => {
			const rival = await claimOf(table.open(), grace);
			const changing = withFirst(table.store, 'insert', async (run) => {
				const found = await run();
				await records.markPaid(environment, workspaceId, [PAID_INV_1]);
				await rival.withdraw();
				return found;
			});
			const result = await table.open({ store: changing }).begin([ada, grace]);
			expect(blocksOf(result, ada, grace)).toEqual(['done', 'new']);
			expect(await statesOf('INV-1')).toEqual(['paid']);
		});

		test('that is withdrawn leaves what an event has marked as paid', async () => {
			const claim = await claimOf(table.open(), payableOf('pay-9'));
			await records.markPaid(environment, workspaceId, [{ payableId: 'pay-9', paidAt: PAID_AT }]);
			await claim.withdraw();
			expect(await begins(table.open(), payableOf('pay-9'))).toBe(false);
		});

		test('leaves nothing when the limit of the day cannot be read', async () => {
			const { id } = await oneUnconfirmed();
			await table.write(id, { amount_cents: null });
			const rules = rulesWith({ maxPerDay: 1_000_000 });
			await expect(table.open().begin([paymentOf('INV-7')], rules)).rejects.toThrow(/amount_cents/);
			expect(await kindsIn(table.open(), paymentOf('INV-7'))).toEqual(['busy']);
		});

		test('of which n8n did not answer the insert is looked for #stale-answers', async () => {
			const done = withFirst(table.store, 'insert', async (run) => await run().then(lost));
			const claim = await claimOf(table.open({ store: done }), ada);
			await claim.complete('funded', 'fund-1');
			expect(await statesOf('INV-1')).toEqual(['funded']);

			const undone = table.open({ store: withFirst(table.store, 'insert', lost) });
			await expect(undone.begin([grace])).rejects.toThrow(/lost/);
			expect(await statesOf('INV-2')).toEqual([]);
		});

		test('whose insert arrives after it was given up only blocks #late-answer', async () => {
			let arrived = Promise.resolve<unknown>(undefined);
			let giveUp = (): void => undefined;
			const given = new Promise<void>((resolve) => (giveUp = resolve));
			const slow = withFirst(table.store, 'insert', async (run) => {
				arrived = given.then(run);
				return await lost();
			});
			await expect(table.open({ store: slow }).begin([ada])).rejects.toThrow(/lost/);
			giveUp();
			await arrived;
			expect(await begins(table.open(), ada)).toBe(false);
		});

		test('that nobody answers is unconfirmed after twenty minutes, and busy until then #died-with-a-table', async () => {
			await claimOf(table.open(), ada);
			const row = { ...(await rowOf('INV-1')), updatedAt: new Date().toISOString() };
			expect(await records.list(ofStates('sending'), 9)).toHaveLength(1);
			expect(await kindsIn(table.open(), ada)).toEqual(['busy']);
			const updatedAt = new Date(Date.now() - 21 * 60_000).toISOString();
			expect(classifyRows(ada, [{ ...row, updatedAt }], 'sandbox')).toMatchObject({
				kind: 'unconfirmed',
			});
		});

		test('is left to a run that has announced its payments', async () => {
			const run = table.open();
			const end = await run.announce([ada]);
			expect(await kindsIn(run, ada)).toEqual(['new']);
			expect(await kindsIn(table.open(), ada)).toEqual(['busy']);
			await end();
			expect(await kindsIn(table.open(), ada)).toEqual(['new']);
		});
	});

	describe('what a person resolves', () => {
		test('as paid is paid for every later run #resolved-as-paid', async () => {
			const row = await oneUnconfirmed();
			expect(await records.resolve(row, 'paid')).toMatchObject({ state: 'paid' });
			expect(await kindsIn(table.open(), ada)).toEqual(['done']);
			expect(await begins(table.open(), ada)).toBe(false);
		});

		test('as not paid is sent by the next run, with the same payable or with other values #resolved-as-not-paid', async () => {
			await records.resolve(await oneUnconfirmed(), 'not_paid');
			expect(await verdictIn(table.open(), ada)).toMatchObject({
				kind: 'prepared',
				known: { payableId: 'pay-INV-1' },
			});
			expect(await kindsIn(table.open(), { ...ada, amount: 1 })).toEqual(['new']);
			await (await claimOf(table.open(), ada)).complete('funded', 'fund-1');
			expect(await statesOf('INV-1')).toEqual(['funded']);
		});

		test('as void is never paid #void-is-never-paid', async () => {
			await records.resolve(await oneUnconfirmed(), 'void');
			expect(await kindsIn(table.open(), ada)).toEqual(['refused']);
			expect(await begins(table.open(), ada)).toBe(false);
		});

		test('is not resolved when it has changed since it was read #resolve-compare-and-set', async () => {
			const row = await oneUnconfirmed();
			await records.resolve(row, 'not_paid');
			await (await claimOf(table.open(), ada)).complete('funded', 'fund-3');
			expect(await records.resolve(row, 'not_paid')).toBeUndefined();
			expect(await statesOf('INV-1')).toEqual(['funded']);
		});

		test('in the table itself counts, and so does what nobody understands #state-by-hand', async () => {
			const { id } = await oneUnconfirmed();
			await table.write(id, { state: 'Paid, I think' });
			expect(await kindsIn(table.open(), ada)).toEqual(['unconfirmed']);
			expect(await begins(table.open(), ada)).toBe(false);
			await table.write(id, { state: 'prepared' });
			expect(await begins(table.open(), ada)).toBe(true);
		});
	});

	describe('what the service says', () => {
		test.each([
			['alone', 0],
			['among many', 9],
		])('of a payable that is paid marks it, %s #marked-as-paid', async (_with, more) => {
			await oneUnconfirmed();
			const mark = async (workspace: string, payableId: string, paidAt: string) => {
				const paid = [{ payableId, paidAt }, ...unknownPayables(more)];
				await records.markPaid(environment, workspace, paid);
			};

			await mark(workspaceId, 'pay-INV-1', PAID_AT);
			await mark(workspaceId, 'pay-INV-2', PAID_AT);
			await mark(randomUUID(), 'pay-INV-1', LATER);

			expect(await rowOf('INV-1')).toMatchObject({ state: 'paid', paid_at: PAID_AT });
			expect(await statesOf('INV-2')).toEqual(['paid']);
		});

		test('of a linked deposit completes its funding', async () => {
			await (await claimOf(table.open(), ada)).complete('awaiting_deposit', 'fund-1');
			await (await claimOf(table.open(), grace)).complete('awaiting_deposit', 'fund-2');
			const link = records.depositLink({ environment, fundingId: 'fund-1', depositId: 'dep-1' });
			await link.begin(await records.ofFunding(environment, 'fund-1'));
			await link.complete();
			const states = [await statesOf('INV-1'), await statesOf('INV-2')];
			expect(states).toEqual([['funded'], ['awaiting_deposit']]);
		});
	});
});
