import { isRecord } from '../../shared/json';
import { LedgerError } from '../ledger';
import type { ApiRequest } from './apiRequest';
import { notAnN8nError } from './apiErrors';
import type { N8nApi } from './n8nApi';
import { COLUMNS } from './row';

/** A Data Table, as n8n lists it. */
export interface DataTable {
	id: string;
	name: string;
	/** The types of its columns, by their names. */
	columns: Map<string, string>;
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

/**
 * Finds a Data Table by its exact name.
 *
 * @returns undefined when there is none, or when the user of the API key may not see it
 * @throws LedgerError when there are several
 */
export async function tableOfName(api: N8nApi, name: string): Promise<DataTable | undefined> {
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

/** The columns of a ledger that a table lacks, with their types. */
export const missingColumns = ({ columns }: DataTable): string[] =>
	Object.entries(COLUMNS)
		.filter(([column, type]) => columns.get(column) !== type)
		.map(([column, type]) => `${column} (${type})`);

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
