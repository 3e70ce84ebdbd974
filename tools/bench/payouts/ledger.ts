import { setTimeout as delay } from 'node:timers/promises';

import { MAX_STORED } from '../../../nodes/PartnerPayments/ledger/nodeStore/factCache';
import { isRecord } from '../../../nodes/PartnerPayments/shared/json';
import { startEnvironment } from '../../environment';
import { EventLoop } from '../../n8n';
import { bearerCredential, partnerPaymentsCredential, UNLIMITED } from '../../payouts/credentials';
import { httpRequestPayouts } from '../../payouts/httpRequest';
import {
	createLedgerCredential,
	ledgerParameters,
	type LedgerStore,
} from '../../payouts/ledgerStore';
import {
	partnerPaymentsPayables,
	partnerPaymentsPayouts,
	type PartnerPaymentsSetup,
} from '../../payouts/partnerPayments';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import { fillDataTable, fillNodeStore } from './ledgerHistory';
import { measurePartnerPayments, WINDOW_SECONDS } from './rateLimit';
import { activate, type ActiveWorkflow, type BenchEnvironment, executionTimeMs } from './workflows';

/**
 * What is measured: payouts by this package's node with each store and by HTTP Request nodes, which
 * remember nothing; and payables that this package's node creates without a ledger.
 */
export type Competitor = LedgerStore | 'httpRequest' | 'payables';

type Setup = Pick<PartnerPaymentsSetup, 'parameters' | 'ledgerCredential'>;

const WARM_UP_ITEMS = 50;
const WARM_UP_ROUNDS = 2;

/** Figures of an execution. */
export interface Execution {
	/** How long it took, in milliseconds. */
	timeMs: number;
	/** The longest time that n8n's event loop was blocked meanwhile, in milliseconds. */
	blockedMs: number;
}

/** Executions of every competitor. */
export type Executions = Record<Competitor, Execution[]>;

export const newExecutions = (): Executions => ({
	httpRequest: [],
	payables: [],
	node: [],
	dataTable: [],
});

/** An n8n of its own, whose event loop is watched, with a workflow for each competitor. */
export class LedgerBench {
	private batches = 0;
	/** What both stores have paid at the start. */
	private readonly known = makePayouts('known', 1);

	private constructor(
		private readonly environment: BenchEnvironment,
		private readonly eventLoop: EventLoop,
		private readonly workflows: Record<Competitor, ActiveWorkflow>,
		/** How the node is set up for a Data Table. */
		private readonly dataTable: Setup,
		/** Stops n8n and the sandbox. */
		readonly stop: () => Promise<void>,
	) {}

	/** Starts n8n and a sandbox without a limit of requests, and has every competitor warm up. */
	static async start(): Promise<LedgerBench> {
		const eventLoop = await EventLoop.prepare();
		const { n8n, sandbox, stop } = await startEnvironment({
			sandbox: { requestsPerMinute: UNLIMITED },
			n8n: eventLoop.startOptions,
		});
		try {
			const { apiUrl, workspaceId } = sandbox;
			const partnerPayments = await partnerPaymentsCredential(n8n, sandbox);
			const httpRequest = await bearerCredential(n8n, sandbox);
			const dataTable = {
				parameters: ledgerParameters('dataTable'),
				ledgerCredential: await createLedgerCredential(n8n),
			};
			const common = { answer: 'firstEntryJson', workspaceId } as const;
			const own = { ...common, credential: partnerPayments };
			const peer = { ...common, credential: httpRequest, apiUrl };
			const workflows = {
				httpRequest: await activate(n8n, (webhookPath) =>
					httpRequestPayouts({ ...peer, webhookPath }),
				),
				payables: await activate(n8n, (webhookPath) =>
					partnerPaymentsPayables({ ...own, webhookPath }),
				),
				node: await activate(n8n, (webhookPath) => partnerPaymentsPayouts({ ...own, webhookPath })),
				dataTable: await activate(n8n, (webhookPath) =>
					partnerPaymentsPayouts({ ...own, ...dataTable, webhookPath }),
				),
			};
			const environment = { n8n, sandbox, credentials: { partnerPayments, httpRequest } };
			const bench = new LedgerBench(environment, eventLoop, workflows, dataTable, stop);
			await addPayees(sandbox, bench.known);
			await bench.submitKnown();
			await bench.measure(WARM_UP_ITEMS, WARM_UP_ROUNDS);
			return bench;
		} catch (error) {
			await stop();
			throw error;
		}
	}

	/**
	 * Has the competitors execute alternately, with `count` items each time.
	 *
	 * @param executions gets the figures
	 */
	async measure(
		count: number,
		rounds: number,
		executions: Executions = newExecutions(),
	): Promise<Executions> {
		const order = ['httpRequest', 'payables', 'node', 'dataTable'] as const;
		for (let round = 0; round < rounds; round += 1) {
			for (const competitor of round % 2 === 0 ? order : order.toReversed()) {
				executions[competitor].push(await this.execute(this.workflows[competitor], count));
			}
		}
		return executions;
	}

	/** Has this package's node make payouts within the limit, with each store. */
	async measureLimited(count: number): Promise<Record<LedgerStore, Execution>> {
		const measure = async (setup: Setup): Promise<Execution> => {
			// What was sent before counts toward the limit as well.
			await delay(WINDOW_SECONDS * 1000);
			await this.eventLoop.longestBlockMs();
			const { seconds } = await measurePartnerPayments(this.environment, count, setup);
			return { timeMs: seconds * 1000, blockedMs: await this.eventLoop.longestBlockMs() };
		};
		const executions = { node: await measure({}), dataTable: await measure(this.dataTable) };
		await this.environment.sandbox.control.setRequestsPerMinute(UNLIMITED);
		return executions;
	}

	/** Fills both stores: n8n's own one to its maximum, and the Data Table with so many entries. */
	async fill(entries: number): Promise<void> {
		const { n8n, sandbox } = this.environment;
		await this.execute(this.workflows.node, MAX_STORED);
		fillNodeStore(n8n, this.workflows.node.id);
		await fillDataTable(n8n, sandbox.workspaceId, entries);
	}

	/** Submits the payout that both stores have paid at the start; returns its statuses now. */
	async submitKnown(): Promise<Record<LedgerStore, unknown>> {
		const { client } = this.environment.n8n;
		const submit = async ({ path }: ActiveWorkflow): Promise<unknown> => {
			const { data } = await client.callWebhook(path, { items: itemsOf(this.known) });
			return isRecord(data) ? data['status'] : data;
		};
		const { node, dataTable } = this.workflows;
		return { node: await submit(node), dataTable: await submit(dataTable) };
	}

	private async execute(workflow: ActiveWorkflow, count: number): Promise<Execution> {
		const { n8n, sandbox } = this.environment;
		this.batches += 1;
		const payouts = makePayouts(`batch-${this.batches}`, count);
		await addPayees(sandbox, payouts);
		await this.eventLoop.longestBlockMs();
		await executionTimeMs(n8n, workflow, itemsOf(payouts));
		return {
			timeMs: n8n.database.newestDurationMs(workflow.id),
			blockedMs: await this.eventLoop.longestBlockMs(),
		};
	}
}
