import { LedgerRecords } from '../../../nodes/PartnerPayments/ledger/protocol/records';
import { LedgerTable } from '../../../nodes/PartnerPayments/ledger/table/ledgerTable';
import { ProjectStore } from '../../../nodes/PartnerPayments/ledger/table/projectStore';
import { rowOf } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { DataTables } from '../../support/dataTables';
import { paymentOf } from './ledgerRuns';

/** What is written into a row of INV-1, unless told otherwise. */
export const VALUES = rowOf(paymentOf('INV-1'), {
	state: 'prepared',
	claim: 'claim-1',
	execution: '1',
	environment: 'sandbox',
});

/** The records of a ledger with these rows, in the Data Tables of a project in memory. */
export async function recordsOf(rows: object[]) {
	const tables = new DataTables();
	const store = new ProjectStore(tables.host());
	await store.create('Payout Ledger');
	for (const changes of rows) {
		tables.add(VALUES);
		// n8n sets the times itself when it adds a row.
		Object.assign(tables.tables[0]?.rows.at(-1) ?? {}, changes);
	}
	const table = new LedgerTable(
		store,
		async (found) => await Promise.resolve(found?.[0]?.id ?? ''),
	);
	await table.locate();
	tables.executions.length = 0;

	return {
		records: new LedgerRecords(table),
		executions: tables.executions,
		rows: tables.tables[0]?.rows ?? [],
	};
}
