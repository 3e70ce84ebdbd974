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
