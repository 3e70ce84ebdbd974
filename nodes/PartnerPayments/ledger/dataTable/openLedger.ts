import { createHash, randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { systemClock } from '../../service/http/clock';
import type { Ledger, LedgerScope } from '../ledger';
import { connectLedger } from './connection';
import { OwnReferences } from '../nodeStore/storeChange';
import { DataTableLedger } from './dataTableLedger';
import { findTable, type TableLocator } from './findTable';
import { LedgerTable } from './ledgerTable';
import { TableRows } from './rows';
import { PATIENCE } from './tableRun';
import { NodeTables } from './usedTables';

/** The ids of tables that were found with all their columns, by what they were found with. */
const knownTables = new Map<string, Promise<string>>();

/**
 * Opens the ledger in a Data Table for one run. The table is made when it is chosen by a name that was
 * never used, where there is no other ledger.
 *
 * @throws LedgerError when the ledger cannot be used
 */
export async function openDataTableLedger(
	n8n: IExecuteFunctions,
	{ table, ...scope }: LedgerScope & { table: TableLocator },
): Promise<Ledger> {
	const run = {
		rows: await openRows(n8n, table),
		scope,
		token: randomUUID(),
		execution: n8n.getExecutionId(),
		clock: systemClock,
		signal: n8n.getExecutionCancelSignal(),
		patience: PATIENCE,
	};
	return new DataTableLedger(run, new OwnReferences(n8n, scope));
}

/**
 * Opens a Data Table to read and settle its entries.
 *
 * @throws LedgerError when the ledger cannot be used
 */
export async function openLedgerTable(
	n8n: IExecuteFunctions,
	table: TableLocator,
): Promise<LedgerTable> {
	return new LedgerTable(await openRows(n8n, table));
}

/** Looks for the table once in a process, and again when it was deleted. */
async function openRows(n8n: IExecuteFunctions, table: TableLocator): Promise<TableRows> {
	const { api, root, apiKey } = await connectLedger(n8n);
	const keyHash = createHash('sha256').update(apiKey).digest('hex');
	// What a name stands for is known of each node.
	const node = table.mode === 'name' ? [n8n.getWorkflow().id, n8n.getNode().id] : [];
	const name = JSON.stringify([root, keyHash, table.mode, table.value, ...node]);
	const forget = (): void => {
		knownTables.delete(name);
	};
	const find = async (): Promise<string> => (await findTable(api, table, new NodeTables(n8n))).id;
	const known = knownTables.get(name) ?? find();
	knownTables.set(name, known);
	const id = await known.catch((error: unknown) => {
		forget();
		throw error;
	});
	return new TableRows(api, id, forget);
}
