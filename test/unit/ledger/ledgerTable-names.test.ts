import {
	findTable,
	type TableLocator,
} from '../../../nodes/PartnerPayments/ledger/dataTable/findTable';
import { emptyLedger } from '../../../nodes/PartnerPayments/ledger/dataTable/makeTable';
import { N8nApi } from '../../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import { NodeTables } from '../../../nodes/PartnerPayments/ledger/dataTable/usedTables';
import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { systemClock } from '../../../nodes/PartnerPayments/service/http/clock';
import { elapse } from './fakeTime';
import { N8nDatabase } from './n8nDatabase';

const NAME = 'Payout Ledger';
const byName: TableLocator = { mode: 'name', value: NAME };
const fromList = (value: string): TableLocator => ({ mode: 'list', value });

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
	jest.useRealTimers();
});

/** The Data Tables of an n8n, as its API lists and makes them, and the keys that its database has. */
function startN8n() {
	const [database, tables] = [new N8nDatabase(), [] as Array<{ id: string; name: string }>];
	const add = (id: string, name = NAME) => {
		tables.push({ ...emptyLedger(name), id });
	};
	let requests = 0;
	const send = async ({ method, path }: { method: string; path: string }) => {
		requests += 1;
		if (method === 'POST') {
			add('made');
			return await Promise.resolve({ status: 201, body: tables.at(-1) });
		}
		const filter: unknown = JSON.parse(
			new URL(path, 'http://n8n').searchParams.get('filter') ?? '',
		);
		const data = tables.filter((table) =>
			Object.entries(filter ?? {}).every(([key, value]) =>
				Object.entries(table).some(([name, own]) => name === key && own === value),
			),
		);
		return await Promise.resolve({ status: 200, body: { data, nextCursor: null } });
	};
	/** The ID of the table that a node finds, or what it is rejected with. */
	const find = async (table: TableLocator, workflow = 'workflow-1'): Promise<unknown> => {
		const used = new NodeTables(database.host({ process: 'main', workflow }));
		const found = findTable(new N8nApi(send, 'n8n.example', systemClock), table, used);
		return await elapse(
			found.then(
				({ id }) => id,
				(error: unknown) => error,
			),
		);
	};
	return { database, tables, add, find, requests: () => requests };
}

test('a table that is chosen by a new name is made, and found by it from then on', async () => {
	const { find, tables } = startN8n();
	expect([await find(byName), await find(byName)]).toEqual(['made', 'made']);
	expect(tables).toHaveLength(1);
});

test('a name is not taken for another table than before, which may be chosen from the list', async () => {
	const { find, tables, add } = startN8n();
	await find(byName);
	tables.length = 0;
	add('other');
	for (let times = 0; times < 2; times += 1)
		expect(await find(byName)).toMatchObject({
			message: expect.stringContaining('is not the one'),
		});
	expect(await find(fromList('other'))).toBe('other');
});

test.each([['Payments of 2026'], []])(
	'a table that is gone is not made a second time, and other ledgers are named: %s',
	async (...others: string[]) => {
		const { find, tables, add } = startN8n();
		await find(byName);
		tables.length = 0;
		for (const name of others) add('made', name);
		const error = await find(byName);
		expect(error).toBeInstanceOf(LedgerError);
		expect(error).toMatchObject({
			message: expect.stringContaining('is not to be found'),
			hint: expect.stringContaining(others[0] ?? 'restored from a backup'),
		});
		expect(tables).toHaveLength(others.length);
	},
);

test.each([
	['of a workflow that was never saved', '', async () => await Promise.resolve()],
	['while its database fails', 'workflow-1', async () => await Promise.reject(new Error('locked'))],
])('no table is made where nothing can be kept of it: %s', async (_, workflow, before) => {
	const { find, tables, database } = startN8n();
	database.before = before;
	expect(await find(byName, workflow)).toBeInstanceOf(LedgerError);
	expect(tables).toEqual([]);
});

test('a name that stands in the field From List was not chosen there, and is not asked for', async () => {
	const { find, requests, add } = startN8n();
	add('made');
	expect(await find(fromList(NAME))).toMatchObject({
		message: expect.stringContaining('is a name'),
	});
	expect(requests()).toBe(0);
});
