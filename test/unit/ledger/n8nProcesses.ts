import type { IDataObject } from 'n8n-workflow';

import type { Claim, ClaimedEntry, Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { openNodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type { OwnReferences } from '../../../nodes/PartnerPayments/ledger/nodeStore/storeChange';
import type { InputError } from '../../../nodes/PartnerPayments/shared/inputError';
import type { LedgerStore, RunOptions } from './ledgerContract-support';
import { N8nDatabase } from './n8nDatabase';

const PAYOUTS = { kind: 'payout', environment: 'sandbox' } as const;

/** What one process has in memory, which shares its modules with no other one. */
interface Modules {
	openNodeLedger: typeof openNodeLedger;
	OwnReferences: typeof OwnReferences;
}

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
		kind = PAYOUTS.kind,
		environment = PAYOUTS.environment,
		...more
	}: Partial<RunOptions> & { staticData?: IDataObject } = {}): Promise<Ledger> {
		const { openNodeLedger } = await this.modulesOf(process);
		const host = this.database.host({ process, workflow: this.workflow, ...more });
		return openNodeLedger(host, { kind, environment });
	}

	/** What a Data Table is told of payouts that the node may have sent by itself. */
	async resolve(
		claims: Claim[],
		process = `process ${this.processes.size}`,
	): Promise<Map<Claim, ClaimedEntry | InputError>> {
		const { OwnReferences } = await this.modulesOf(process);
		const host = this.database.host({ process, workflow: this.workflow });
		return await new OwnReferences(host, PAYOUTS).resolve(claims);
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
		modules = {
			...(await import('../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger')),
			...(await import('../../../nodes/PartnerPayments/ledger/nodeStore/storeChange')),
		};
	});
	if (modules === undefined) throw new Error('The modules were not loaded');
	return modules;
}
