import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { LedgerTable } from '../ledger/dataTable/ledgerTable';
import { openDataTableLedger, openLedgerTable } from '../ledger/dataTable/openLedger';
import type { TableLocator } from '../ledger/dataTable/findTable';
import type { Ledger, LedgerKind } from '../ledger/ledger';
import { openNodeLedger } from '../ledger/nodeStore/nodeLedger';
import { InputError } from '../shared/inputError';
import { isRecord } from '../shared/json';
import { assertSetByPerson } from './safeguards';

/** What the references of a ledger belong to, beside their workspaces. */
interface Scope {
	kind: LedgerKind;
	environment: 'sandbox' | 'production';
}

/** The ledgers of one execution, each opened once, in the store that the node is set to. */
export class Ledgers {
	private readonly opened = new Map<string, Promise<Ledger>>();

	constructor(private readonly n8n: IExecuteFunctions) {}

	/**
	 * Opens a ledger in the store that the node is set to, or hands out the one that was opened before.
	 *
	 * @throws LedgerError when the ledger cannot be used, InputError when the workflow was never saved, or
	 *   an expression names several ledgers
	 */
	async open(scope: Scope): Promise<Ledger> {
		const name = JSON.stringify(scope);
		const ledger = this.opened.get(name) ?? this.openStore(scope);
		this.opened.set(name, ledger);
		return await ledger;
	}

	/**
	 * Opens the Data Table, to read and to settle its entries.
	 *
	 * @throws LedgerError when the table cannot be used
	 */
	async openTable(): Promise<LedgerTable> {
		return await openLedgerTable(this.n8n, this.locator());
	}

	private async openStore(scope: Scope): Promise<Ledger> {
		return this.theOne('rememberIn', 'Remember In', 'node') === 'dataTable'
			? await openDataTableLedger(this.n8n, { ...scope, table: this.locator() })
			: openNodeLedger(this.n8n, scope);
	}

	/**
	 * What all items name, and a person has chosen. A reference that is remembered where the first item
	 * says would be looked for elsewhere when its item comes first.
	 */
	private theOne(name: string, label: string, fallback: IDataObject | string): unknown {
		const node = this.n8n.getNode();
		assertSetByPerson(node.parameters[name], label, node);
		const values = this.n8n
			.getInputData()
			.map((_, index): unknown => this.n8n.getNodeParameter(name, index, fallback));
		const [first, ...others] = values;
		const text = JSON.stringify(first);
		if (others.every((other) => JSON.stringify(other) === text)) return first;
		throw new InputError(
			'The items name different ledgers',
			'Remember all references of a node in one place.',
		);
	}

	private locator(): TableLocator {
		const chosen = this.theOne('ledgerTable', 'Ledger Table', {});
		const { mode, value } = isRecord(chosen) ? chosen : {};
		return {
			mode: mode === 'list' || mode === 'id' ? mode : 'name',
			value: typeof value === 'string' ? value : '',
		};
	}
}
