import type { IDataObject } from 'n8n-workflow';

import type * as nodeLedger from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type { LedgerStore, RunOptions } from './ledgerContract';
import { N8nDatabase } from './n8nDatabase';

/** What one process has in memory, which shares its modules with no other one. */
type Modules = typeof nodeLedger;

/** The processes that were loaded. What they have in memory belongs to a workflow each. */
const loaded: Modules[] = [];
let loading: Promise<unknown> = Promise.resolve();
let workflows = 0;

/** Processes of an n8n, whose database they share. */
export class N8nProcesses implements LedgerStore {
	readonly database = new N8nDatabase();
	readonly workflow = `workflow-${(workflows += 1)}`;
	private readonly processes = new Map<string, number>();

	/** Opens a ledger for an execution of a node. */
	async open({
		process = `process ${this.processes.size}`,
		environment = 'sandbox',
		maxKeys,
		...more
	}: RunOptions & {
		staticData?: IDataObject;
		maxKeys?: number;
	} = {}): Promise<nodeLedger.NodeLedger> {
		const modules = await this.modulesOf(process);
		const host = this.database.host({ process, workflow: this.workflow, ...more });
		return new modules.NodeLedger(host, environment, maxKeys);
	}

	private async modulesOf(process: string): Promise<Modules> {
		const number = this.processes.get(process) ?? this.processes.size;
		this.processes.set(process, number);
		const next = loading.then(async () => (loaded[number] ??= await loadModules()));
		loading = next;
		return await next;
	}
}

async function loadModules(): Promise<Modules> {
	let modules: Modules | undefined;
	await jest.isolateModulesAsync(async () => {
		modules = await import('../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger');
	});
	if (modules === undefined) throw new Error('The modules were not loaded');
	return modules;
}
