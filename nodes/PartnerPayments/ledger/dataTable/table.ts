import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/values';
import { LedgerError } from '../ledger';
import { encodeFilter, type N8nApi } from './n8nApi';
import { COLUMNS } from './rows';

const KEEP_TABLE = 'Never replace a table that was in use: a new one does not know what was paid.';

/** The ID of the ledger's table; throws a LedgerError for none, for several, and for missing columns. */
export async function findTable(api: N8nApi, table: string): Promise<string> {
	const found = await tableOfName(api, table);
	if (typeof found?.id !== 'string') throw absenceError(table, await ledgersOf(api));
	const missing = missingColumns(found);
	if (missing.length === 0) return found.id;
	throw new LedgerError(
		`The Data Table "${table}" lacks columns of the ledger: ${missing.join(', ')}`,
		`If it is the ledger, add them in n8n. If not, correct "Ledger Table" in the credential. ${KEEP_TABLE}`,
	);
}

/** Creates the ledger's table unless it exists; returns whether it did. Throws as `findTable` does, or for another ledger. */
export async function createTable(api: N8nApi, name: string): Promise<boolean> {
	const ledgers = await ledgersOf(api);
	const isNew = (await tableOfName(api, name)) === undefined;
	// A second ledger would pay again what the first one knows.
	if (isNew && ledgers.length > 0) throw absenceError(name, ledgers);
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

function absenceError(name: string, ledgers: string[]): LedgerError {
	const hint =
		ledgers.length > 0
			? `The ledger is the table ${ledgers.join(', ')}: enter this name as "Ledger Table" in the credential, or rename the table back.`
			: 'First use: run "Create" of "Ledger" once. Otherwise, restore the table, or use a key of the user who created it.';
	return new LedgerError(
		`The user of the n8n API key sees no Data Table "${name}"`,
		`${hint} ${KEEP_TABLE}`,
	);
}

/** The quoted names of the tables that have a ledger's columns. */
const ledgersOf = async (api: N8nApi): Promise<string[]> =>
	(await api.list('/data-tables?limit=250'))
		.filter((table) => missingColumns(table).length === 0)
		.map(({ name }) => JSON.stringify(name));

function missingColumns({ columns }: IDataObject): string[] {
	const known = [columns].flat().filter(isRecord);
	return COLUMNS.filter(
		({ name, type }) => !known.some((one) => one.name === name && one.type === type),
	).map(({ name, type }) => `${name} (${type})`);
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
