import type { IExecuteFunctions } from 'n8n-workflow';

import { openDataTableLedger } from '../ledger/dataTable/dataTableLedger';
import type { Ledger, LedgerKind } from '../ledger/ledger';
import { openNodeLedger } from '../ledger/nodeStore/nodeLedger';

type Environment = 'sandbox' | 'production';

/**
 * Opens the ledgers that an execution needs, each once, in the store that the node is set to.
 *
 * @returns opens the ledger of one kind of requests
 */
export function ledgersOf(
	n8n: IExecuteFunctions,
): (kind: LedgerKind, environment: Environment) => Promise<Ledger> {
	const opened = new Map<string, Promise<Ledger>>();
	return async (kind, environment) => {
		const name = JSON.stringify([kind, environment]);
		const ledger = opened.get(name) ?? open(n8n, kind, environment);
		opened.set(name, ledger);
		return await ledger;
	};
}

async function open(
	n8n: IExecuteFunctions,
	kind: LedgerKind,
	environment: Environment,
): Promise<Ledger> {
	if (n8n.getNodeParameter('rememberIn', 0, 'node') !== 'dataTable')
		return openNodeLedger(n8n, { kind, environment });
	return await openDataTableLedger(n8n, { kind, environment });
}
