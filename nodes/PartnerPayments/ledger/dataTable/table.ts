import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/values';
import { LedgerError } from '../ledger';
import { encodeFilter, type N8nApi } from './n8nApi';
import { COLUMNS } from './rows';

const KEEP_TABLE = 'Never replace a table that was in use: a new one does not know what was paid.';

/** The ID of the ledger's table; throws a LedgerError for none, for several, and for missing columns. */
export async function findTable(api: N8nApi, table: string): Promise<string> {
	const { id, columns } = (await tableOfName(api, table)) ?? {};
	if (typeof id !== 'string')
		throw new LedgerError(
			`The user of the n8n API key sees no Data Table "${table}"`,
			`First use: run "Create" of "Ledger" once. Otherwise it was renamed, moved or deleted: rename it back, or restore it. ${KEEP_TABLE}`,
		);
	const known = [columns].flat().filter(isRecord);
	const missing = COLUMNS.filter(
		({ name, type }) => !known.some((one) => one.name === name && one.type === type),
	).map(({ name, type }) => `${name} (${type})`);
	if (missing.length === 0) return id;
	throw new LedgerError(
		`The Data Table "${table}" lacks columns of the ledger: ${missing.join(', ')}`,
		`If it is the ledger, add them in n8n. If not, correct "Ledger Table" in the credential. ${KEEP_TABLE}`,
	);
}

/** Creates the ledger's table unless it exists; returns whether it did. Throws as `findTable` does. */
export async function createTable(api: N8nApi, name: string): Promise<boolean> {
	const isNew = (await tableOfName(api, name)) === undefined;
	if (isNew) {
		const body = { name, columns: COLUMNS };
		const request = { method: 'POST', path: '/data-tables', body } as const;
		await api.call(request).catch(async (error: unknown) => {
			// Another execution may have created it at the same time.
			if ((await tableOfName(api, name)) === undefined) throw error;
		});
	}
	await findTable(api, name);
	return isNew;
}

async function tableOfName(api: N8nApi, name: string): Promise<IDataObject | undefined> {
	const path = `/data-tables?limit=250&filter=${encodeFilter({ name })}`;
	// n8n also finds parts of names, in any case.
	const found = (await api.list(path)).filter((table) => table.name === name);
	if (found.length < 2) return found[0];
	throw new LedgerError(
		`Several Data Tables are called "${name}", in different projects`,
		'Rename those that are not the ledger, or use the API key of a user who sees only the ledger.',
	);
}
