import { randomUUID } from 'node:crypto';
import { median } from 'simple-statistics';

import type { Environment } from '../../environment';
import { UNLIMITED } from '../../payouts/credentials';
import type { LedgerStore } from '../../payouts/ledgerStore';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import { alternately, figuresByName } from '../../statistics';
import { type Measured, TableBuilder } from '../results/table';
import { COLUMNS, type PayoutBench, STORES } from './bench';
import { activateOwn, activatePeer, type ActiveWorkflow, timeExecution } from './workflows';

/** Payouts by this package's node with each ledger, and by HTTP Request nodes, which remember nothing. */
export type Competitor = LedgerStore | 'httpRequest';

export const COMPETITORS: Competitor[] = ['httpRequest', 'project', 'shared'];

/** How much longer a single payout may take than with HTTP Request nodes. */
const MAX_ABOVE_MS = 350;
/** How long the service takes for a request, and the ratio that is wanted then. */
const LATENCIES = [
	{ ms: 0, maxRatio: 1.2 },
	{ ms: 150, maxRatio: 1 },
];

const WARM_UP_ITEMS = 50;
const WARM_UP_ROUNDS = 2;

/** Measures competitors without a limit, with `count` new payouts each time; returns the milliseconds. */
type Measure<Name extends string> = (
	count: number,
	rounds: number,
	/** The service takes so long for each request. */
	latencyMs?: number,
) => Promise<Record<Name, number[]>>;

/** Payouts without a limit, at a service that is fast and at one that is slow. */
export async function measureLatency(bench: PayoutBench): Promise<Measured> {
	const { latencyPayouts: count, latencyRounds: rounds } = bench.scale;
	const measure = await ledgerBench(bench);
	const table = new TableBuilder(
		`${count} payouts in a run, without a limit of requests: ${rounds} rounds`,
		COLUMNS,
	);

	for (const { ms, maxRatio } of LATENCIES) {
		const times = await measure(count, rounds, ms);
		for (const { store, name } of STORES) {
			table.compare({
				name: `${name}, ${ms} ms a request`,
				unit: 'ms',
				own: times[store],
				peer: times.httpRequest,
				wanted: `at most ${maxRatio}`,
			});
		}
	}

	return { isPassed: true, table: table.build() };
}

/** What a payout costs with each ledger, beside HTTP Request nodes. */
export async function measureLedger(bench: PayoutBench): Promise<Measured> {
	const { singleRounds, payouts, payoutRounds } = bench.scale;
	const measure = await ledgerBench(bench);
	const single = await measure(1, singleRounds);
	const many = await measure(payouts, payoutRounds);
	const ofEach = (times: number[]): number[] => times.map((ms) => ms / payouts);
	const table = new TableBuilder(
		`A single payout (${singleRounds} rounds), and ${payouts} in a run (${payoutRounds} rounds), at 0 ms a request`,
		COLUMNS,
	);

	for (const { store, name } of STORES) {
		const aboveMs = median(single[store]) - median(single.httpRequest);
		table.compare({
			name: `${name}, a single payout`,
			unit: 'ms',
			own: single[store],
			peer: single.httpRequest,
		});
		table.add({
			name: `${name}, a single payout, above HTTP Request`,
			unit: 'ms',
			own: aboveMs,
			wanted: `at most ${MAX_ABOVE_MS}`,
		});
		table.compare({
			name: `${name}, each of ${payouts}`,
			unit: 'ms',
			digits: 1,
			own: ofEach(many[store]),
			peer: ofEach(many.httpRequest),
			wanted: 'at most 0.9',
		});
	}

	return { isPassed: true, table: table.build() };
}

/** Activates a workflow for each competitor. */
export const activateCompetitors = async (
	environment: Environment,
): Promise<Record<Competitor, ActiveWorkflow>> => ({
	httpRequest: await activatePeer(environment),
	project: await activateOwn(environment, { store: 'project' }),
	shared: await activateOwn(environment, { store: 'shared' }),
});

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

async function ledgerBench(environment: Environment): Promise<Measure<Competitor>> {
	const workflows = await activateCompetitors(environment);
	return await payoutBench(environment, COMPETITORS, workflows);
}
