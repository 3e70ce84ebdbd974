import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/json';
import { LedgerError } from '../ledger';
import { notAnN8nError, type N8nApi } from './n8nApi';
import { COLUMNS } from './rows';

const KEEP_TABLE =
	'Never replace a table that was in use: another one does not know what was paid.';

/**
 * Finds the ledger's table.
 *
 * @returns its ID
 * @throws LedgerError when there is none of that name, or several, or when it lacks columns
 */
export async function findTable(api: N8nApi, table: string): Promise<string> {
	const { id, columns } = (await tableOfName(api, table)) ?? {};
	if (typeof id !== 'string')
		throw new LedgerError(
			`There is no Data Table "${table}" that the user of the n8n API key can see`,
			`First use: run the operation "Create" of "Ledger" once. Otherwise it was renamed, moved or deleted: rename it back, or restore it. ${KEEP_TABLE}`,
		);
	const known = recordsOf(columns);
	const missing = Object.entries(COLUMNS)
		.filter(([name, type]) => !known.some((one) => one.name === name && one.type === type))
		.map(([column, type]) => `${column} (${type})`);
	if (missing.length === 0) return id;
	throw new LedgerError(
		`The Data Table "${table}" lacks columns of the ledger: ${missing.join(', ')}`,
		`If it is the ledger, add them in n8n. If not, correct the "Ledger Table" of the credential. ${KEEP_TABLE}`,
	);
}

/**
 * Makes the ledger's table unless it is there.
 *
 * @returns whether it was made now
 * @throws LedgerError as `findTable` does
 */
export async function createTable(api: N8nApi, name: string): Promise<boolean> {
	const isNew = (await tableOfName(api, name)) === undefined;
	if (isNew) {
		const columns = Object.entries(COLUMNS).map(([column, type]) => ({ name: column, type }));
		const body = { name, columns };
		await api
			.call({ method: 'POST', path: '/data-tables', body, scope: 'dataTable:create' })
			.catch(async (error: unknown) => {
				// Of several that make it at once all but one are refused.
				if ((await tableOfName(api, name)) === undefined) throw error;
			});
	}
	await findTable(api, name);
	return isNew;
}

async function tableOfName(api: N8nApi, name: string): Promise<IDataObject | undefined> {
	// n8n finds parts of names, in any case.
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const found: IDataObject[] = [];
	for (let cursor: unknown = ''; typeof cursor === 'string';) {
		const page = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		const path = `/data-tables?limit=250&filter=${filter}${page}`;
		const body = await api.call({ method: 'GET', path, scope: 'dataTable:list' });
		const { data, nextCursor } = isRecord(body) ? body : {};
		if (!Array.isArray(data)) throw notAnN8nError();
		found.push(...recordsOf(data).filter((table) => table.name === name));
		cursor = nextCursor === '' ? undefined : nextCursor;
	}
	if (found.length < 2) return found[0];
	throw new LedgerError(
		`Several Data Tables are called "${name}", in different projects`,
		'Rename those that are not the ledger, or use the API key of a user who sees the ledger alone.',
	);
}

function recordsOf(value: unknown): IDataObject[] {
	const list: unknown[] = Array.isArray(value) ? value : [];
	return list.filter(isRecord);
}
