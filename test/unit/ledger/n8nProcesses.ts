import type { IDataObject } from 'n8n-workflow';

import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { openNodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type { LedgerStore, RunOptions } from './ledgerContract-support';
import { N8nDatabase } from './n8nDatabase';

/** Opens ledgers in one process, which shares its modules with no other one. */
type Open = typeof openNodeLedger;

/** The processes that were loaded. What they have in memory belongs to a workflow each. */
const loaded: Open[] = [];
let loading: Promise<unknown> = Promise.resolve();
let workflows = 0;

/** Processes of an n8n, whose database they share. */
export class N8nProcesses implements LedgerStore {
	readonly database = new N8nDatabase();
	readonly workflow = `workflow-${(workflows += 1)}`;
	/** The processes by their names, and those that have none or have ended. */
	private readonly processes = new Map<string, number>();
	private started = 0;

	/** Opens a ledger for an execution of a node. */
	async open({
		kind,
		environment,
		process = `process ${this.started}`,
		...more
	}: RunOptions & { staticData?: IDataObject; node?: string }): Promise<Ledger> {
		const number = this.processes.get(process) ?? this.started++;
		this.processes.set(process, number);
		const open = await processAt(number);
		const host = this.database.host({ process, workflow: this.workflow, ...more });
		return open(host, { kind, environment });
	}

	/** Ends a process, and with it all that it has in memory. */
	end(process: string): void {
		this.processes.delete(process);
	}
}

async function processAt(number: number): Promise<Open> {
	const next = loading.then(async () => (loaded[number] ??= await loadProcess()));
	loading = next;
	return await next;
}

async function loadProcess(): Promise<Open> {
	let open: Open | undefined;
	await jest.isolateModulesAsync(async () => {
		({ openNodeLedger: open } =
			await import('../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger'));
	});
	if (open === undefined) throw new Error('The module was not loaded');
	return open;
}
