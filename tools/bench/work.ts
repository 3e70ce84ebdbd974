import { setTimeout as delay } from 'node:timers/promises';

import { UNLIMITED } from '../payouts/credentials';
import { ourPayables } from '../payouts/ours';
import { itemsOf, makePayouts } from '../payouts/payout';
import { peerPayables } from '../payouts/peer';
import { addWays, inTurns, run, type Stage, type Ways } from './ways';

/** What one request costs n8n, in milliseconds. */
export interface Cost {
	/** For which it keeps a processor busy. */
	processor: number;
	/** Until the workflow answers. */
	wall: number;
}

/** How long n8n gets to settle down after it has started, in milliseconds. */
const SETTLING_MS = 3_000;
const SAMPLING_MS = 20;
const WARM_UP = 50;

/** The same single call by both: one payable for each item. */
const singleCalls = async (stage: Stage): Promise<Ways> =>
	await addWays(stage, ourPayables, peerPayables);

/** What n8n does for each of so many requests in one execution. */
export async function measureWork(
	stage: Stage,
	count: number,
	rounds: number,
): Promise<Record<keyof Ways, Cost[]>> {
	const { n8n, sandbox } = stage;
	await sandbox.control.setRequestsPerMinute(UNLIMITED);
	const ways = await singleCalls(stage);
	const items = itemsOf(makePayouts('work', count));
	const measure = async (who: keyof Ways): Promise<Cost> => {
		const before = n8n.process.processorTimeMs();
		const wall = await run(n8n, ways[who], items);
		return { processor: (n8n.process.processorTimeMs() - before) / count, wall: wall / count };
	};
	await inTurns(1, measure);
	return await inTurns(rounds, measure);
}

/**
 * By how many bytes n8n's memory grows at most while one execution makes so many requests. n8n is
 * started anew for each round, as memory that was taken once is seldom given back.
 */
export async function measureMemory(
	stage: Stage,
	count: number,
	rounds: number,
): Promise<Record<keyof Ways, number[]>> {
	const { n8n, sandbox } = stage;
	await sandbox.control.setRequestsPerMinute(UNLIMITED);
	const ways = await singleCalls(stage);
	const items = itemsOf(makePayouts('memory', count));
	return await inTurns(rounds, async (who) => {
		await n8n.restart();
		await run(n8n, ways[who], items.slice(0, WARM_UP));
		await delay(SETTLING_MS);
		const before = n8n.process.residentMemory();
		let peak = before;
		const sampling = setInterval(() => (peak = Math.max(peak, n8n.process.residentMemory())), SAMPLING_MS);
		await run(n8n, ways[who], items).finally(() => clearInterval(sampling));
		return peak - before;
	});
}
