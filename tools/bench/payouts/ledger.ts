import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { isRecord } from '../../../nodes/PartnerPayments/shared/values';
import { UNLIMITED } from '../../payouts/credentials';
import type { LedgerStore } from '../../payouts/ledgerStore';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import { fillDataTable, fillNodeStore } from './ledgerHistory';
import { measurePartnerPayments, WINDOW_SECONDS } from './rateLimit';
import {
	activateOwn,
	activatePeer,
	type ActiveWorkflow,
	alternately,
	type BenchEnvironment,
	executionTimeMs,
} from './workflows';

/** Payouts by this package's node with each store, and by HTTP Request nodes, which remember nothing. */
export type Competitor = LedgerStore | 'httpRequest';

const ORDER: Competitor[] = ['httpRequest', 'node', 'dataTable'];

const WARM_UP_ITEMS = 50;
const WARM_UP_ROUNDS = 2;

/** A workflow for each competitor, which has paid nothing yet. */
export class LedgerBench {
	private batches = 0;
	/** No other bench pays by these references. */
	private readonly name = randomUUID();
	/** What each store has paid at the start: neither knows what the other has paid. */
	private readonly known = {
		node: makePayouts(`${this.name}-node`, 1),
		dataTable: makePayouts(`${this.name}-dataTable`, 1),
	};

	private constructor(
		private readonly environment: BenchEnvironment,
		private readonly workflows: Record<Competitor, ActiveWorkflow>,
	) {}

	/** Has every competitor warm up. */
	static async create(environment: BenchEnvironment): Promise<LedgerBench> {
		const { sandbox } = environment;
		await sandbox.control.setSettings({ requestsPerMinute: UNLIMITED });
		const bench = new LedgerBench(environment, {
			httpRequest: await activatePeer(environment),
			node: await activateOwn(environment, { store: 'node' }),
			dataTable: await activateOwn(environment, { store: 'dataTable' }),
		});
		await addPayees(sandbox, Object.values(bench.known).flat());
		await bench.submitKnown();
		await bench.measure(WARM_UP_ITEMS, WARM_UP_ROUNDS);
		return bench;
	}

	/**
	 * Has the competitors execute alternately, with `count` items each time, at a service that takes
	 * `latencyMs` for each request; returns the milliseconds.
	 */
	async measure(
		count: number,
		rounds: number,
		latencyMs = 0,
	): Promise<Record<Competitor, number[]>> {
		const { control } = this.environment.sandbox;
		if (latencyMs > 0) await control.addFault({ kind: 'latency', ms: latencyMs, ratio: 1 });
		const times = await alternately(
			ORDER,
			rounds,
			async (competitor) => await this.execute(this.workflows[competitor], count),
		);
		await control.clearFaults();
		return times;
	}

	/**
	 * Makes payouts, restarts n8n, and submits them again.
	 *
	 * @returns the seconds that it took to find all of them paid, and the requests that changed something
	 */
	async measureAgain(
		store: LedgerStore,
		count: number,
	): Promise<Record<'seconds' | 'sent', number>> {
		const { n8n, sandbox } = this.environment;
		const payouts = makePayouts(`${this.name}-again-${store}`, count);
		await addPayees(sandbox, payouts);
		const workflow = this.workflows[store];
		await executionTimeMs(n8n, workflow, itemsOf(payouts));
		await n8n.restart();
		await sandbox.control.clearRequests();
		const seconds = (await executionTimeMs(n8n, workflow, itemsOf(payouts))) / 1000;
		const requests = await sandbox.control.requests();
		return {
			seconds,
			sent: requests.filter(({ host, method }) => host === 'api' && method !== 'GET').length,
		};
	}

	/** Has this package's node make payouts within the limit, with each store; returns the seconds. */
	async measureLimited(count: number): Promise<Record<LedgerStore, number>> {
		const measure = async (store: LedgerStore): Promise<number> => {
			// What was sent before counts toward the limit as well.
			await delay(WINDOW_SECONDS * 1000);
			return (await measurePartnerPayments(this.environment, count, store)).seconds;
		};
		const seconds = { node: await measure('node'), dataTable: await measure('dataTable') };
		await this.environment.sandbox.control.setSettings({ requestsPerMinute: UNLIMITED });
		return seconds;
	}

	/**
	 * Fills both stores.
	 *
	 * @param stored how many payouts the static data of n8n's own store gets; its keys get all but full
	 * @param entries how many the Data Table gets
	 */
	async fill(stored: number, entries: number): Promise<void> {
		const { n8n, sandbox, ledgerTable } = this.environment;
		await this.execute(this.workflows.node, stored);
		fillNodeStore(n8n, this.workflows.node.id);
		await fillDataTable(n8n, ledgerTable, sandbox.workspaceId, entries);
	}

	/** Submits the payout that each store has paid at the start; returns their statuses now. */
	async submitKnown(): Promise<Record<LedgerStore, unknown>> {
		const submit = async (store: LedgerStore): Promise<unknown> => {
			const { client } = this.environment.n8n;
			const items = itemsOf(this.known[store]);
			const { data } = await client.callWebhook(this.workflows[store].path, { items });
			return isRecord(data) ? data['status'] : data;
		};
		return { node: await submit('node'), dataTable: await submit('dataTable') };
	}

	private async execute(workflow: ActiveWorkflow, count: number): Promise<number> {
		const { n8n, sandbox } = this.environment;
		this.batches += 1;
		const payouts = makePayouts(`${this.name}-${this.batches}`, count);
		await addPayees(sandbox, payouts);
		await executionTimeMs(n8n, workflow, itemsOf(payouts));
		return n8n.database.newestDurationMs(workflow.id);
	}
}
