import type { IDataObject } from 'n8n-workflow';

import {
	NoLedgerError,
	tableForPayer,
	tableForReader,
} from '../../../nodes/PartnerPayments/ledger/findLedger';
import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { ApiStore } from '../../../nodes/PartnerPayments/ledger/table/apiStore';
import { N8nApi } from '../../../nodes/PartnerPayments/ledger/table/n8nApi';
import { ProjectStore } from '../../../nodes/PartnerPayments/ledger/table/projectStore';
import type { TableStore } from '../../../nodes/PartnerPayments/ledger/table/tableStore';
import { DataTables } from '../../support/dataTables';

const NAME = 'Payout Ledger';

/** The memory of a node, without n8n. */
class Memory {
	used: string | undefined;

	async mayCreateTable(): Promise<boolean> {
		return await Promise.resolve(this.used === undefined);
	}

	async accept(tableId: string): Promise<boolean> {
		this.used ??= tableId;
		return await Promise.resolve(this.used === tableId);
	}

	async replace(tableId: string): Promise<void> {
		this.used = tableId;
		await Promise.resolve();
	}
}

/** A node that pays with the tables of a store, what its runs tell, and what a person confirms. */
function payer(store: TableStore) {
	const confirmed = new Set<string>();
	const hints: string[] = [];
	const pay = async (memory = new Memory(), isPreview = false): Promise<string> =>
		await tableForPayer(store, await store.list(), NAME, {
			memory,
			isConfirmed: async (id) => await Promise.resolve(confirmed.has(id)),
			hint: (message) => {
				hints.push(message);
			},
			isPreview,
		});
	return { store, confirmed, hints, pay };
}

/** A project, and a node of it that pays. */
function project() {
	const tables = new DataTables();
	const deleteTables = (): void => {
		tables.tables.length = 0;
	};

	return { tables, deleteTables, ...payer(new ProjectStore(tables.host())) };
}

/** The shared tables that a key sees, and a node elsewhere that pays with them. */
function sharedTables() {
	const tables: IDataObject[] = [];
	const api = new N8nApi(async ({ method, body = {} }) => {
		if (method === 'POST') {
			tables.push({ ...body, id: `table-${tables.length}` });
		}
		return await Promise.resolve({ status: 200, body: { data: tables, nextCursor: null } });
	}, 'n8n.example');
	const deleteTables = (): void => {
		tables.length = 0;
	};

	return { deleteTables, ...payer(new ApiStore(api)) };
}

test('the first payment makes the table, and every node uses it', async () => {
	const { tables, pay } = project();
	const id = await pay();
	expect(await pay()).toBe(id);
	expect(tables.tables.map(({ name }) => name)).toEqual([NAME]);
});

test('a preview makes no table, and says what that means', async () => {
	const { tables, store, pay } = project();

	const preview = pay(new Memory(), true);

	await expect(preview).rejects.toBeInstanceOf(NoLedgerError);
	await expect(preview).rejects.toMatchObject({
		message: expect.stringContaining(`no ledger in ${store.place}`),
		hint: expect.stringContaining('restore'),
	});
	expect(tables.tables).toEqual([]);
});

test('a preview reads the table that a payment has made', async () => {
	const { pay } = project();
	const id = await pay();

	expect(await pay(new Memory(), true)).toBe(id);
});

const PLACES = [
	['a project', () => project()],
	['a shared place', () => sharedTables()],
] as const;

test.each(PLACES)(
	'a payment that makes the table of %s tells of it, and no other one does',
	async (_, start) => {
		const { store, hints, pay } = start();
		await pay();
		const told = hints.splice(0);

		await pay();

		expect(told).toEqual([expect.stringContaining(store.place)]);
		expect(told[0]).toContain(`"${NAME}"`);
		expect(hints).toEqual([]);
	},
);

test.each(PLACES)(
	'in %s whose table was deleted, a new node tells that it makes one',
	async (_, start) => {
		const { deleteTables, hints, pay } = start();
		const memory = new Memory();
		await pay(memory);
		deleteTables();
		hints.length = 0;

		const refused = await pay(memory).catch((error: unknown) => error);
		const toldByOld = hints.splice(0);
		await pay();

		expect(refused).toBeInstanceOf(LedgerError);
		expect(refused).toMatchObject({ hint: expect.stringContaining('copied node') as string });
		expect(toldByOld).toEqual([]);
		expect(hints).toHaveLength(1);
	},
);

test('two first payments at once make one table', async () => {
	const { tables, pay } = project();
	const ids = await Promise.all([pay(), pay(), pay()]);
	expect(new Set(ids).size).toBe(1);
	expect(tables.tables).toHaveLength(1);
});

test('a ledger with another name is refused for every node, and named', async () => {
	const { tables, pay } = project();
	await pay();
	Object.assign(tables.tables[0] ?? {}, { name: 'Old' });
	await expect(pay()).rejects.toMatchObject({
		message: expect.stringContaining('"Old"'),
		hint: expect.stringContaining('"Payout Ledger"'),
	});
	expect(tables.tables).toHaveLength(1);
});

test.each(PLACES)(
	'in %s whose renamed table was deleted, a node that was refused before makes none',
	async (_, start) => {
		const { store, deleteTables, pay } = start();
		await store.create('Renamed');
		const memory = new Memory();
		await pay(memory).catch(() => undefined);
		deleteTables();

		const refused = await pay(memory).catch((error: unknown) => error);

		expect(refused).toBeInstanceOf(LedgerError);
		expect(await store.list()).toEqual([]);
	},
);

test('a node that has paid makes no second table, and uses no other one before a person confirms it', async () => {
	const { tables, confirmed, pay } = project();
	const memory = new Memory();
	await pay(memory);
	tables.tables.length = 0;
	await expect(pay(memory)).rejects.toThrow(/"Payout Ledger" .* is gone/);
	expect(tables.tables).toHaveLength(0);

	const second = await pay();
	await expect(pay(memory)).rejects.toMatchObject({
		message: expect.stringContaining('not the ledger that this node has paid with'),
		hint: expect.stringContaining('"Create" of "Ledger"'),
	});
	confirmed.add(second);
	expect(await pay(memory)).toBe(second);
});

test('a table without all columns is refused, and they are named #no-ledger-columns', async () => {
	const { tables, pay } = project();
	await pay();
	const [table] = tables.tables;
	table?.columns.splice(0, 2);
	await expect(pay()).rejects.toMatchObject({
		message: expect.stringContaining('reference (string), state (string)'),
		hint: expect.stringContaining('backup'),
	});
});

test('who reads finds a table by its name or its ID, and makes none', async () => {
	const { store, tables, pay } = project();
	const read = async (name: string) => tableForReader(store, await store.list(), name);
	await expect(read(NAME)).rejects.toBeInstanceOf(NoLedgerError);
	await expect(read(NAME)).rejects.toMatchObject({
		message: expect.stringContaining('"Payout Ledger"'),
		hint: expect.stringContaining('restore'),
	});
	expect(tables.tables).toHaveLength(0);
	const id = await pay();
	expect(await read(NAME)).toBe(id);
	expect(await read(id)).toBe(id);
});

test('where n8n finds tables by their IDs alone, a name is refused with what to do', async () => {
	const { store } = project();
	expect(tableForReader(store, undefined, 'aB3dE6gH9jK2mN5p')).toBe('aB3dE6gH9jK2mN5p');
	for (const name of [NAME, 'aB3dE6gH9jK2mN5', 'aB3dE6gH9jK2mN5p7']) {
		const reading = async () => await Promise.resolve(tableForReader(store, undefined, name));
		await expect(reading()).rejects.toMatchObject({
			message: expect.stringContaining('takes IDs alone'),
			hint: expect.stringContaining('payout-ledger.csv'),
		});
	}
});

test('where n8n finds tables by their IDs alone, a table is checked before it is paid with', async () => {
	const { store, tables } = project();
	await store.create(NAME);
	const [table] = tables.tables;
	table?.columns.splice(0, 1);
	const memory = new Memory();
	const payer = {
		memory,
		isConfirmed: async () => await Promise.resolve(false),
		hint: () => undefined,
		isPreview: false,
	};

	const paying = tableForPayer(store, undefined, table?.id ?? '', payer);

	await expect(paying).rejects.toThrow(/lacks columns: reference/);
	expect(memory.used).toBeUndefined();
});

test('several tables with its name are refused', async () => {
	const { tables, pay } = project();
	await pay();
	tables.tables.push(...tables.tables.map((table) => ({ ...table, id: 'bB3dE6gH9jK2mN5p' })));

	await expect(pay()).rejects.toMatchObject({
		message: expect.stringContaining('Several Data Tables'),
		hint: expect.stringContaining('"Ledger Table"'),
	});
});

test('of several ledgers with other names, none is chosen, and all are named', async () => {
	const { store, tables, pay } = project();
	await store.create('Old');
	await store.create('Older');

	await expect(pay()).rejects.toMatchObject({
		message: expect.stringContaining('"Old", "Older"'),
		hint: expect.stringContaining('which one is the ledger'),
	});
	expect(tables.tables).toHaveLength(2);
});

test('a table that is made and not shown is not paid with', async () => {
	const { store, pay } = project();
	store.list = async () => await Promise.resolve([]);

	await expect(pay()).rejects.toMatchObject({
		message: expect.stringContaining('n8n does not show it'),
		hint: expect.stringContaining('same unique references'),
	});
});

test('a table of something else does not keep the first payment from making the ledger', async () => {
	const { tables, pay } = project();
	tables.tables.push({ id: 'other', name: 'Customers', columns: [], rows: [] });

	await pay();

	expect(tables.tables.map(({ name }) => name)).toEqual(['Customers', NAME]);
});

test('a column of another type is named', async () => {
	const { tables, pay } = project();
	await pay();
	const amount = tables.tables[0]?.columns.find(({ name }) => name === 'amount_cents');
	Object.assign(amount ?? {}, { type: 'string' });

	await expect(pay()).rejects.toThrow(/: amount_cents \(number\)$/);
});
