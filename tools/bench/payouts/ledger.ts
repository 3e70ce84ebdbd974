import { randomUUID } from 'node:crypto';

import type { Environment } from '../../environment';
import { UNLIMITED } from '../../payouts/credentials';
import type { LedgerStore } from '../../payouts/ledgerStore';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import { alternately, figuresByName } from '../../statistics';
import { activateOwn, activatePeer, type ActiveWorkflow, timeExecution } from './workflows';

/** Payouts by this package's node with each ledger, and by HTTP Request nodes, which remember nothing. */
export type Competitor = LedgerStore | 'httpRequest';

const ORDER: Competitor[] = ['httpRequest', 'project', 'shared'];

const WARM_UP_ITEMS = 50;
const WARM_UP_ROUNDS = 2;

/** Measures competitors without a limit, with `count` new payouts each time; returns the milliseconds. */
type Measure<Name extends string> = (
	count: number,
	rounds: number,
	/** The service takes so long for each request. */
	latencyMs?: number,
) => Promise<Record<Name, number[]>>;

/** Activates a workflow for each competitor and warms it up; returns what measures them. */
export async function ledgerBench(environment: Environment): Promise<Measure<Competitor>> {
	const workflows = {
		httpRequest: await activatePeer(environment),
		project: await activateOwn(environment, { store: 'project' }),
		shared: await activateOwn(environment, { store: 'shared' }),
	};

	return await payoutBench(environment, ORDER, workflows);
}

/** Warms up workflows of any competitors; returns what measures them. */
export async function payoutBench<Name extends string>(
	{ n8n, sandbox }: Environment,
	order: Name[],
	workflows: Record<Name, ActiveWorkflow>,
): Promise<Measure<Name>> {
	const { control } = sandbox;
	/** No other bench pays by these references. */
	const name = randomUUID();
	let batches = 0;
	await control.setSettings({ requestsPerMinute: UNLIMITED });

	const measure: Measure<Name> = async (count, rounds, latencyMs = 0) => {
		if (latencyMs > 0) {
			await control.addFault({ kind: 'latency', ms: latencyMs, ratio: 1 });
		}

		const figures = await alternately(order, rounds, async (competitor) => {
			batches += 1;

			const payouts = makePayouts(`${name}-${batches}`, count);
			await addPayees(sandbox, payouts);

			const { elapsedMs } = await timeExecution(n8n, workflows[competitor], itemsOf(payouts));
			return elapsedMs;
		});

		await control.clearFaults();
		return figuresByName(order, figures);
	};

	await measure(WARM_UP_ITEMS, WARM_UP_ROUNDS);
	return measure;
}
