import { isRecord } from '../../shared/json';
import { LedgerError } from '../ledger';
import type { ApiRequest } from './apiRequest';
import { KEEP_TABLE, RESTORE_TABLE } from './errors';
import type { N8nApi } from './n8nApi';
import { COLUMNS } from './row';

/** How a node names its Data Table. */
export interface TableLocator {
	mode: 'list' | 'id' | 'name';
	value: string;
}

/** A Data Table, as n8n lists it. */
export interface DataTable {
	id: string;
	name: string;
	/** The types of its columns, by their names. */
	columns: Map<string, string>;
}

const CHOOSE =
	'Choose the one that you have paid with before. Only where nothing was paid before, enter a name that does not exist yet: the table is made with the right columns.';

/**
 * Finds the table of a ledger. One that is chosen by a name that does not exist is made.
 *
 * @param mayCreate false where the table was there before, and a new one would know nothing of it
 * @throws LedgerError when it does not exist, or lacks columns
 */
export async function findTable(
	api: N8nApi,
	{ mode, value }: TableLocator,
	mayCreate = true,
): Promise<DataTable> {
	const wanted = value.trim();
	if (wanted === '') throw new LedgerError('No Data Table is chosen for the ledger', CHOOSE);
	const table =
		mode === 'name'
			? ((await tableOfName(api, wanted)) ??
				(mayCreate ? await createTable(api, wanted) : undefined))
			: (await listTables(api, { id: wanted })).find(({ id }) => id === wanted);
	if (table === undefined) {
		throw new LedgerError(
			'The Data Table of the payout ledger does not exist, or the user of the API key may not see it',
			`See to it that the user of the key may open the table. If it was deleted: ${RESTORE_TABLE}`,
		);
	}
	assertColumns(table);
	return table;
}

/** The Data Tables that the user of the API key may see. */
export async function listTables(
	api: N8nApi,
	filter: { id?: string; name?: string } = {},
): Promise<DataTable[]> {
	const query = `limit=250&filter=${encodeURIComponent(JSON.stringify(filter))}`;
	const tables: DataTable[] = [];
	for (let cursor = ''; ;) {
		const page = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		const request: ApiRequest = {
			method: 'GET',
			path: `/data-tables?${query}${page}`,
			scope: 'dataTable:list',
		};
		const { body } = await api.call(request);
		const { data, nextCursor } = isRecord(body) ? body : {};
		if (!Array.isArray(data)) throw notAnN8nError();
		tables.push(...data.flatMap(toTable));
		if (typeof nextCursor !== 'string' || nextCursor === '') return tables;
		cursor = nextCursor;
	}
}

async function tableOfName(api: N8nApi, name: string): Promise<DataTable | undefined> {
	// n8n finds parts of names, in any case.
	const found = (await listTables(api, { name })).filter((table) => table.name === name);
	if (found.length > 1) {
		throw new LedgerError(
			`Several Data Tables are called "${name}", in different projects`,
			'Choose from the list the one that you have paid with before: the others know nothing of it.',
		);
	}
	return found[0];
}

/** Makes a table, or finds the one that another process has made in the same moment. */
async function createTable(api: N8nApi, name: string): Promise<DataTable | undefined> {
	const columns = Object.entries(COLUMNS).map(([column, type]) => ({ name: column, type }));
	const request: ApiRequest = {
		method: 'POST',
		path: '/data-tables',
		body: { name, columns },
		scope: 'dataTable:create',
	};
	const isMissing = async (): Promise<boolean> => (await tableOfName(api, name)) === undefined;
	const rest = async (): Promise<ApiRequest | undefined> =>
		(await isMissing()) ? request : undefined;
	await api.call(request, rest).catch(async (error: unknown) => {
		// Of several that make it at once all but one are refused.
		if (await isMissing()) throw error;
	});
	return await tableOfName(api, name);
}

function assertColumns({ name, columns }: DataTable): void {
	const missing = Object.entries(COLUMNS)
		.filter(([column, type]) => columns.get(column) !== type)
		.map(([column, type]) => `${column} (${type})`);
	if (missing.length === 0) return;
	throw new LedgerError(
		`The Data Table "${name}" lacks columns of the payout ledger: ${missing.join(', ')}`,
		`If it is another table than the ledger, choose the ledger. If it is the ledger, add them to it in n8n. ${KEEP_TABLE}`,
	);
}

function toTable(value: unknown): DataTable[] {
	const { id, name, columns } = isRecord(value) ? value : {};
	if (typeof id !== 'string' || typeof name !== 'string') return [];
	const list: unknown[] = Array.isArray(columns) ? columns : [];
	const types = list.flatMap((column): Array<[string, string]> =>
		isRecord(column) && typeof column.name === 'string' && typeof column.type === 'string'
			? [[column.name, column.type]]
			: [],
	);
	return [{ id, name, columns: new Map(types) }];
}

/** The error for an answer that no n8n gives. */
export const notAnN8nError = (): LedgerError =>
	new LedgerError(
		'What answers at the address of the payout ledger is not an n8n',
		'Check the Base URL of the Partner Payments Ledger API credential: the address at which this n8n itself can be reached, such as http://localhost:5678.',
	);
