import { sleep } from 'n8n-workflow';

import type { ApiRequest } from './apiRequest';
import type { N8nApi } from './n8nApi';
import { COLUMNS } from './row';
import { listTables, missingColumns, tableOfName, type DataTable } from './tables';
import { goneError, otherLedgerError } from './tableErrors';
import type { UsedTables } from './usedTables';

/** How long another process may take from its look for a table to the end of making it. */
const MAKING_MS = 500;

/**
 * Makes the table of a ledger, which is empty and knows nothing of what was paid. So it is made only
 * where no ledger can have been meant that is there, or was there before, under this name or another.
 *
 * @param name of a table that was not found
 * @throws LedgerError when there is another ledger, or when the node has used one of that name before
 */
export async function makeTable(
	api: N8nApi,
	name: string,
	used: UsedTables,
): Promise<DataTable | undefined> {
	const isUsed = await used.has(name);
	if (isUsed) {
		await sleep(MAKING_MS);
		const table = await tableOfName(api, name);
		if (table !== undefined) return table;
	}
	const ledgers = (await listTables(api)).filter((table) => missingColumns(table).length === 0);
	const others = ledgers.flatMap((table) => (table.name === name ? [] : table.name));
	if (isUsed) throw goneError(name, others);
	if (others.length > 0) throw otherLedgerError(name, others);
	return await createTable(api, name);
}

/** A table with the columns of a ledger, as n8n is asked to create it. */
export const emptyLedger = (name: string) => ({
	name,
	columns: Object.entries(COLUMNS).map(([column, type]) => ({ name: column, type })),
});

/** Creates a table, or finds the one that another process has created in the same moment. */
async function createTable(api: N8nApi, name: string): Promise<DataTable | undefined> {
	const request: ApiRequest = {
		method: 'POST',
		path: '/data-tables',
		body: emptyLedger(name),
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
