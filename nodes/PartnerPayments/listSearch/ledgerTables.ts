import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { connectLedger } from '../ledger/dataTable/connection';
import { listTables } from '../ledger/dataTable/tables';

/**
 * The Data Tables that the ledger's API key may see, for the list of the Ledger Table field.
 *
 * @param filter what the user typed; a part of a name in any case
 * @returns name and id of each
 * @throws LedgerError when n8n does not tell them
 */
export async function searchLedgerTables(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const { api } = await connectLedger(this);
	const name = filter.trim();
	const tables = await listTables(api, name === '' ? {} : { name });
	return { results: tables.map(({ id, name: label }) => ({ name: label, value: id })) };
}
