import { randomUUID } from 'node:crypto';

import type { Environment } from '../../environment';
import { UNLIMITED } from '../../payouts/credentials';
import type { LedgerStore } from '../../payouts/ledgerStore';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import { alternately } from '../../statistics';
import { activateOwn, activatePeer, executionTimeMs } from './workflows';

/** Payouts by this package's node with each store, and by HTTP Request nodes, which remember nothing. */
export type Competitor = LedgerStore | 'httpRequest';

const ORDER: Competitor[] = ['httpRequest', 'node', 'dataTable'];

const WARM_UP_ITEMS = 50;
const WARM_UP_ROUNDS = 2;

/** Activates a workflow for each competitor and warms it up; returns what measures them without a limit. */
export async function ledgerBench(environment: Environment) {
	const { n8n, sandbox } = environment;
	const { control } = sandbox;
	/** No other bench pays by these references. */
	const name = randomUUID();
	let batches = 0;
	await control.setSettings({ requestsPerMinute: UNLIMITED });
	const workflows = {
		httpRequest: await activatePeer(environment),
		node: await activateOwn(environment, { store: 'node' }),
		dataTable: await activateOwn(environment, { store: 'dataTable' }),
	};
	/**
	 * Executes the competitors alternately, with `count` items each time, at a service that takes
	 * `latencyMs` for each request; returns the milliseconds.
	 */
	const measure = async (
		count: number,
		rounds: number,
		latencyMs = 0,
	): Promise<Record<Competitor, number[]>> => {
		if (latencyMs > 0) await control.addFault({ kind: 'latency', ms: latencyMs, ratio: 1 });
		const times = await alternately(ORDER, rounds, async (competitor) => {
			batches += 1;
			const payouts = makePayouts(`${name}-${batches}`, count);
			await addPayees(sandbox, payouts);
			return await executionTimeMs(n8n, workflows[competitor], itemsOf(payouts));
		});
		await control.clearFaults();
		return times;
	};
	await measure(WARM_UP_ITEMS, WARM_UP_ROUNDS);
	return measure;
}
