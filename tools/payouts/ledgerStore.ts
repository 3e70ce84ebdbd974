import type { Credential, N8n } from '../n8n';

/** Where the node keeps its payout ledger: in n8n's own store, or in a data table. */
export type LedgerStore = 'node' | 'dataTable';

/** The name of the data table. */
export const LEDGER_TABLE = 'Payout Ledger';

/** The parameters that choose a store. */
export const ledgerParameters = (
	store: LedgerStore,
	table = LEDGER_TABLE,
): Record<string, unknown> =>
	store === 'node'
		? {}
		: { rememberIn: 'dataTable', ledgerTable: { __rl: true, mode: 'name', value: table } };

/**
 * Stores the credential of a ledger in this n8n's own data tables.
 *
 * @param apiKey one with every scope when left out
 */
export const createLedgerCredential = async (
	n8n: N8n,
	apiKey = n8n.client.apiKey,
	name = 'Ledger',
): Promise<Credential> =>
	await n8n.createCredential(name, 'partnerPaymentsLedgerApi', { baseUrl: n8n.url, apiKey });

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
	if (table === undefined) throw new Error('There is no ledger table');
	const { data: rows } = await client.publicApi<{ data: LedgerView['rows'] }>(
		'GET',
		`/data-tables/${table.id}/rows`,
	);
	return { url: `${url}/projects/${table.projectId}/datatables/${table.id}`, rows };
}
