import { LedgerError } from '../ledger';
import { KEEP_TABLE } from './apiErrors';
import { makeTable } from './makeTable';
import type { N8nApi } from './n8nApi';
import { listTables, missingColumns, tableOfName, type DataTable } from './tables';
import { hiddenError, replacedError } from './tableErrors';
import type { UsedTables } from './usedTables';

/** How a node names its Data Table. */
export interface TableLocator {
	mode: 'list' | 'id' | 'name';
	value: string;
}

const CHOOSE =
	'Choose the one that you have paid with before. Only where nothing was paid before, enter a name that does not exist yet: the table is made with the right columns.';

/** When the field changes to From List, the editor leaves in it the name that stood there. */
const TABLE_ID = /^[\w-]+$/;

/**
 * Finds the table of a ledger. One that is chosen by a name that was never used is made.
 *
 * @param used what the node has used by name before
 * @throws LedgerError when it does not exist, lacks columns, or is another one than before
 */
export async function findTable(
	api: N8nApi,
	{ mode, value }: TableLocator,
	used: UsedTables,
): Promise<DataTable> {
	const wanted = value.trim();
	if (wanted === '') throw new LedgerError('No Data Table is chosen for the ledger', CHOOSE);
	if (mode !== 'name' && !TABLE_ID.test(wanted)) {
		throw new LedgerError(
			`"${wanted}" is a name, and no Data Table that was chosen from the list`,
			'At Ledger Table, open the list and click the table in it.',
		);
	}
	const table =
		mode === 'name'
			? ((await tableOfName(api, wanted)) ?? (await makeTable(api, wanted, used)))
			: (await listTables(api, { id: wanted })).find(({ id }) => id === wanted);
	if (table === undefined) throw hiddenError();
	assertColumns(table);
	if (mode === 'name' && !(await used.add(wanted, table.id))) throw replacedError(wanted);
	return table;
}

function assertColumns(table: DataTable): void {
	const missing = missingColumns(table);
	if (missing.length === 0) return;
	throw new LedgerError(
		`The Data Table "${table.name}" lacks columns of the payout ledger: ${missing.join(', ')}`,
		`If it is another table than the ledger, choose the ledger. If it is the ledger, add them to it in n8n. ${KEEP_TABLE}`,
	);
}
