import { COLUMNS, type RowValues } from '../../nodes/PartnerPayments/ledger/table/rows';
import { chunk } from '../../nodes/PartnerPayments/shared/lists';
import type { N8n } from '../n8n';

/** Where a credential has its ledger: in the workflow's project, or behind the public API of this n8n. */
export type LedgerStore = 'project' | 'shared';

/** The most rows that n8n's public API takes at once. */
const ROWS_PER_REQUEST = 500;

/** The name of the data table. */
export const LEDGER_TABLE = 'Payout Ledger';

/**
 * The fields of a credential whose ledger is behind the public API of this n8n.
 *
 * @param apiKey one with every scope when left out
 */
export const sharedLedgerFields = (
	n8n: N8n,
	table = LEDGER_TABLE,
	apiKey = n8n.client.session.apiKey,
) => ({
	ledgerElsewhere: true,
	ledgerTable: table,
	n8nApiKey: apiKey,
	n8nBaseUrl: n8n.url,
});

/** The fields of a credential whose ledger is a table of the project with another name, or with this ID. */
export const projectLedgerFields = (table: string) => ({
	ledgerElsewhere: true,
	ledgerTable: table,
});

/** A ledger's table without rows, as n8n's public API is asked to make it. */
export const emptyLedger = (name: string) => ({
	name,
	columns: COLUMNS,
});

/** Makes the ledger's table in the owner's project, as a person does who imports it; returns its ID. */
export async function addLedgerTable({ client }: N8n, name = LEDGER_TABLE): Promise<string> {
	const project = await client.rest<{ id: string }>('GET', '/projects/personal');
	const path = `/projects/${project.id}/data-tables`;
	const { id } = await client.rest<{ id: string }>('POST', path, emptyLedger(name));
	return id;
}

/** Adds rows to a ledger's table with this ID. */
export async function addLedgerRows(
	{ client }: N8n,
	tableId: string,
	rows: RowValues[],
): Promise<void> {
	for (const data of chunk(rows, ROWS_PER_REQUEST)) {
		const path = `/data-tables/${tableId}/rows`;
		await client.publicApi('POST', path, { data, returnType: 'count' });
	}
}

/** A ledger's table, as n8n's public API shows it. */
export interface LedgerView {
	/** Where a person sees it. */
	url: string;
	rows: Array<Record<string, unknown>>;
}

/** Reads the table of the ledger. */
export async function readLedger({ client, url }: N8n, name = LEDGER_TABLE): Promise<LedgerView> {
	const { data: tables } = await client.publicApi<{
		data: Array<{ id: string; name: string; projectId: string }>;
	}>('GET', '/data-tables');

	const table = tables.find((one) => one.name === name);
	if (table === undefined) {
		throw new Error('There is no ledger table');
	}

	const { data: rows } = await client.publicApi<{ data: LedgerView['rows'] }>(
		'GET',
		`/data-tables/${table.id}/rows`,
	);

	return { url: `${url}/projects/${table.projectId}/datatables/${table.id}`, rows };
}

/** The rows that runs which were killed have left, and that keep others from paying for a while. */
export const LEFT_BY_KILLED = `state IN ('preparing', 'sending')`;

/** Makes what a killed n8n has left in its ledger's table an hour older, so that no run waits for it. */
export function ageLedger(n8n: N8n): void {
	n8n.database.change(
		`UPDATE ${databaseTableOf(n8n)}
		SET updatedAt = strftime('%Y-%m-%d %H:%M:%f', updatedAt, '-1 hour') WHERE ${LEFT_BY_KILLED}`,
	);
}

/** Removes all rows of the ledger's table, which stays the same one for every node that has used it. */
export function clearLedger(n8n: N8n): void {
	n8n.database.change(`DELETE FROM ${databaseTableOf(n8n)}`);
}

/** The table of n8n's database that has the rows of a ledger, quoted. */
export function databaseTableOf({ database }: N8n, name = LEDGER_TABLE): string {
	const [table] = database.rows('SELECT id FROM data_table WHERE name = ?', name);
	if (table === undefined) {
		throw new Error(`There is no data table "${name}"`);
	}

	return `"data_table_user_${String(table['id'])}"`;
}
