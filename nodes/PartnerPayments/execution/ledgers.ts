import type { IExecuteFunctions } from 'n8n-workflow';

import type { LedgerTable } from '../ledger/dataTable/ledgerTable';
import { openDataTableLedger, openLedgerTable } from '../ledger/dataTable/open';
import type { TableLocator } from '../ledger/dataTable/table';
import type { Ledger, LedgerKind } from '../ledger/ledger';
import { openNodeLedger } from '../ledger/nodeStore/nodeLedger';
import { isRecord } from '../shared/json';

/** What the references of a ledger belong to, beside their workspaces. */
interface Scope {
	kind: LedgerKind;
	environment: 'sandbox' | 'production';
}

/** The ledgers of one execution, each opened once, in the store that the node is set to. */
export class Ledgers {
	private readonly opened = new Map<string, Promise<Ledger>>();

	constructor(private readonly n8n: IExecuteFunctions) {}

	/** @throws LedgerError when the ledger cannot be used, InputError when the workflow was never saved */
	async open(scope: Scope): Promise<Ledger> {
		const name = JSON.stringify(scope);
		const ledger = this.opened.get(name) ?? this.openStore(scope);
		this.opened.set(name, ledger);
		return await ledger;
	}

	/** @throws LedgerError when the table cannot be used */
	async openTable(): Promise<LedgerTable> {
		return await openLedgerTable(this.n8n, this.locator());
	}

	private async openStore(scope: Scope): Promise<Ledger> {
		return this.n8n.getNodeParameter('rememberIn', 0, 'node') === 'dataTable'
			? await openDataTableLedger(this.n8n, { ...scope, table: this.locator() })
			: openNodeLedger(this.n8n, scope);
	}

	private locator(): TableLocator {
		const chosen: unknown = this.n8n.getNodeParameter('ledgerTable', 0, {});
		const { mode, value } = isRecord(chosen) ? chosen : {};
		return {
			mode: mode === 'list' || mode === 'id' ? mode : 'name',
			value: typeof value === 'string' ? value : '',
		};
	}
}
