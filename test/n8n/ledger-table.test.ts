import { randomUUID } from 'node:crypto';

import {
	findTable,
	type TableLocator,
} from '../../nodes/PartnerPayments/ledger/dataTable/findTable';
import { LedgerTable } from '../../nodes/PartnerPayments/ledger/dataTable/ledgerTable';
import type { DataTable } from '../../nodes/PartnerPayments/ledger/dataTable/tables';
import { ledgerContract } from '../unit/ledger/ledgerContract';
import { approved, claimOf } from '../unit/ledger/ledgerContract-support';
import { apiOf, NOTHING_USED, sender, TestTable } from './support/ledgerTable';
import { useResource } from './support/resource';
import { sharedN8n } from './support/shared';

const n8n = useResource(sharedN8n, () => {});

let table: TestTable;
let entries: LedgerTable;

const send = () => sender(n8n().url, n8n().client.apiKey);

beforeEach(async () => {
	table = await TestTable.make(send());
	entries = new LedgerTable(table.rows());
});

const [ada, grace] = [
	claimOf('INV-1'),
	claimOf('INV-2', { payee: 'grace@example.com', amount: 100 }),
];

/** A payout in doubt, with a payable, and one that is paid. */
async function oneInDoubt(): Promise<void> {
	const run = table.open();
	await run.claim([ada, grace]);
	await run.advance([ada], approved('pay-1'));
	await run.begin([ada], 'funding');
	await run.begin([grace], 'funding');
	await run.settle([grace], 'funded', { funding_id: 'fund-2' });
	await run.finish([ada, grace]);
}

describe('the entries of a table', () => {
	test('are listed, the newest first, by state, payee, time, workspace and environment', async () => {
		const start = new Date().toISOString();
		await oneInDoubt();
		const references = async (filter: object, limit?: number): Promise<string[]> =>
			(await entries.list(filter, limit)).map(({ reference }) => reference);
		expect(await references({})).toEqual(['INV-2', 'INV-1']);
		expect(await references({}, 1)).toEqual(['INV-2']);
		expect(await references({ states: ['funding'] })).toEqual(['INV-1']);
		expect(await references({ states: ['funding', 'funded'] })).toEqual(['INV-2', 'INV-1']);
		expect(await references({ payee: ' Grace@Example.com' })).toEqual(['INV-2']);
		expect(await references({ since: start })).toEqual(['INV-2', 'INV-1']);
		const later = new Date(Date.parse(start) + 3_600_000).toISOString();
		expect(await references({ since: later })).toEqual([]);
		expect(await references({ workspaceId: ada.workspaceId.toUpperCase() })).toHaveLength(2);
		expect(await references({ workspaceId: randomUUID() })).toEqual([]);
		expect(await references({ environment: 'production' })).toEqual([]);
		expect(await entries.list({ states: ['funding'] })).toMatchObject([
			{ kind: 'payout', amount: 25_000, isHeld: false, facts: { payable_id: 'pay-1' } },
		]);
	});

	test('are listed beyond one page of n8n', async () => {
		const run = table.open();
		await run.claim(Array.from({ length: 260 }, (_, index) => claimOf(`INV-${index}`)));
		expect(new Set((await entries.list({})).map(({ reference }) => reference)).size).toBe(260);
	});

	test('are found by reference and by payable', async () => {
		await oneInDoubt();
		expect(await entries.find({ reference: ' INV-1 ' })).toMatchObject([{ state: 'funding' }]);
		expect(await entries.find({ payableId: 'pay-1' })).toMatchObject([{ reference: 'INV-1' }]);
		expect(await entries.find({ payableId: 'pay-9' })).toEqual([]);
	});

	test('come to an amount since a time', async () => {
		await oneInDoubt();
		const run = table.open({ kind: 'payable' });
		await run.claim([claimOf('INV-3')]);
		const payouts = table.open();
		const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
		const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
		expect(await payouts.spentSince(ada.workspaceId, hourAgo)).toBe(25_100);
		expect(await payouts.spentSince(ada.workspaceId, inAnHour)).toBe(0);
		expect(await payouts.spentSince(randomUUID(), hourAgo)).toBe(0);
	});
});

describe('a doubt that a person settles', () => {
	const doubt = async () => {
		await oneInDoubt();
		const [record] = await entries.find({ reference: 'INV-1' });
		if (record === undefined) throw new Error('There is no doubt');
		return record;
	};

	test('as paid is paid for every later run', async () => {
		expect(await entries.settleByHand(await doubt(), 'paid')).toMatchObject({ state: 'funded' });
		const run = table.open();
		expect(await run.claim([ada])).toMatchObject([{ state: 'funded' }]);
		expect((await run.begin([ada], 'funding')).size).toBe(1);
	});

	test('as not paid is sent by the next run, with the same payable', async () => {
		const record = await doubt();
		expect(await entries.settleByHand(record, 'notPaid')).toMatchObject({ state: 'approved' });
		expect(await entries.settleByHand(record, 'notPaid')).toBeUndefined();
		const run = table.open();
		expect(await run.claim([ada])).toMatchObject([{ ...approved('pay-1'), isNew: false }]);
		expect((await run.begin([ada], 'funding')).size).toBe(0);
	});

	test('as not paid stays settled when it is paid', async () => {
		await oneInDoubt();
		const [paid] = await entries.find({ reference: 'INV-2' });
		if (paid === undefined) throw new Error('There is no entry');
		expect(await entries.settleByHand(paid, 'notPaid')).toBeUndefined();
		expect(await entries.find({ reference: 'INV-2' })).toMatchObject([{ state: 'funded' }]);
	});

	test('as not paid opens nothing that was funded since, when that is said once more', async () => {
		const record = await doubt();
		await entries.settleByHand(record, 'notPaid');
		const run = table.open();
		await run.claim([ada]);
		expect((await run.begin([ada], 'funding')).size).toBe(0);
		await run.settle([ada], 'funded', { funding_id: 'fund-3' });
		await run.finish([ada]);
		expect(await entries.settleByHand(record, 'notPaid')).toBeUndefined();
		expect(await entries.find({ reference: 'INV-1' })).toMatchObject([{ state: 'funded' }]);
	});

	test('in the table itself counts, and so does what nobody understands', async () => {
		const { id } = await doubt();
		const write = async (state: string): Promise<void> => {
			const path = `/data-tables/${table.id}/rows/update`;
			const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: id }] };
			const body = { filter, data: { state, run: null } };
			await table.send({ method: 'PATCH', path, body, scope: '' });
		};
		await write('Paid, I think');
		expect(await table.open().claim([ada])).toMatchObject([{ state: 'funding' }]);
		await write('approved');
		const run = table.open();
		expect(await run.claim([ada])).toMatchObject([{ state: 'approved', isInterrupted: false }]);
		expect((await run.begin([ada], 'funding')).size).toBe(0);
	});

	test('is resent by one of the runs that claim it', async () => {
		await doubt();
		const runs = [table.open(), table.open(), table.open()];
		const taken = await Promise.all(
			runs.map(async (run) => {
				await run.claim([ada]);
				return await run.resend([ada]);
			}),
		);
		expect(taken.filter(({ size }) => size === 1)).toHaveLength(1);
	});
});

describe('the table', () => {
	const find = async (locator: TableLocator): Promise<DataTable> =>
		await findTable(apiOf(send()), locator, NOTHING_USED);

	test('is not used when it lacks columns, which are named', async () => {
		const name = `Notes ${randomUUID()}`;
		const columns = [{ name: 'reference', type: 'string' }];
		const request = { path: '/data-tables', body: { name, columns }, scope: '' };
		await send()({ method: 'POST', ...request });
		await expect(find({ mode: 'name', value: name })).rejects.toThrow(
			/lacks columns of the payout ledger: state \(string\), .*amount_cents \(number\)/,
		);
	});

	test.each([
		['', 'No Data Table is chosen'],
		['0000000000000000', 'does not exist'],
	])('"%s" does not exist', async (value, message) => {
		await expect(find({ mode: 'list', value })).rejects.toThrow(message);
	});

	test('that was deleted is not used', async () => {
		const path = `/data-tables/${table.id}`;
		await table.send({ method: 'DELETE', path, scope: '' });
		await expect(table.open().claim([ada])).rejects.toThrow(/does not exist any more/);
	});
});

describe('a key that may not do everything', () => {
	test.each(['dataTableRow:create', 'dataTableRow:update', 'dataTableRow:read'])(
		'is told that it lacks %s',
		async (scope) => {
			const apiKey = await n8n().client.createApiKey((one) => one !== scope);
			const run = table.open({ send: sender(n8n().url, apiKey) });
			await expect(run.claim([ada])).rejects.toMatchObject({
				message: `The API key of the payout ledger may not do what it needs (${scope})`,
				hint: expect.stringContaining(scope),
			});
		},
	);

	test('is told that it is refused, without naming it', async () => {
		const run = table.open({ send: sender(n8n().url, 'wrong-key') });
		await expect(run.claim([ada])).rejects.toMatchObject({
			message: 'The n8n at n8n.example does not accept the API key',
			hint: expect.not.stringContaining('wrong-key'),
		});
	});
});

describe('the ledger in a Data Table', () => {
	const traits = {
		sharesFacts: true,
		takesOver: true,
		knowsOtherKinds: true,
		refusesOtherCapitals: true,
	};
	ledgerContract(traits, async () => {
		const table = await TestTable.make(sender(n8n().url, n8n().client.apiKey));
		return { open: (options) => table.open(options) };
	});
});
