import type { Credential, N8n } from '../n8n';

/** Where the node keeps its payout ledger: in n8n's own store, or in a data table. */
export type LedgerStore = 'node' | 'dataTable';

/** The name of the data table. */
export const LEDGER_TABLE = 'Payout Ledger';

/** The parameters that choose a store. */
export const ledgerParameters = (store: LedgerStore): Record<string, unknown> =>
	store === 'node'
		? {}
		: {
				rememberIn: 'dataTable',
				ledgerTable: { __rl: true, mode: 'name', value: LEDGER_TABLE },
			};

/** Stores the credential of a ledger in this n8n's own data tables. */
export const createLedgerCredential = async (n8n: N8n): Promise<Credential> =>
	await n8n.createCredential('Ledger', 'partnerPaymentsLedgerApi', {
		baseUrl: n8n.url,
		apiKey: n8n.client.apiKey,
	});
