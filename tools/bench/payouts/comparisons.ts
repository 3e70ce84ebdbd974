import { setTimeout as delay } from 'node:timers/promises';

import { UNLIMITED } from '../../payouts/credentials';
import { httpRequestPayables } from '../../payouts/httpRequest';
import { itemsOf, makePayouts, partnerPaymentsPayables } from '../../payouts/payout';
import {
	activateOwn,
	activatePeer,
	type ActiveWorkflow,
	alternately,
	type BenchEnvironment,
	executionTimeMs,
} from './workflows';

/** How long n8n gets after a start before its memory is measured. */
const SETTLING_MS = 3_000;
const SAMPLING_INTERVAL_MS = 20;
const WARM_UP_ITEMS = 50;

/** What one request costs n8n. */
export interface Cost {
	/** Processor time of n8n's process. */
	processorMs: number;
	/** Wall time until the workflow answers. */
	wallMs: number;
}

const BOTH = ['partnerPayments', 'httpRequest'] as const;

/** The figures of this package's node, and of n8n's HTTP Request nodes. */
type Both<Figure> = Record<(typeof BOTH)[number], Figure>;

/** Activates a workflow of each that creates payables, and ends all limits of the service. */
async function activateBoth(environment: BenchEnvironment): Promise<Both<ActiveWorkflow>> {
	await environment.sandbox.control.setSettings({ requestsPerMinute: UNLIMITED });
	return {
		partnerPayments: await activateOwn(environment, {}, partnerPaymentsPayables),
		httpRequest: await activatePeer(environment, httpRequestPayables),
	};
}

/** Measures the cost of each of `count` requests in one execution, each of which creates a payable. */
export async function measureCost(
	environment: BenchEnvironment,
	count: number,
	rounds: number,
): Promise<Both<Cost[]>> {
	const { n8n } = environment;
	const workflows = await activateBoth(environment);
	const items = itemsOf(makePayouts('cost', count));
	const measure = async (competitor: keyof typeof workflows): Promise<Cost> => {
		const before = n8n.process.processorTimeMs();
		const wallMs = await executionTimeMs(n8n, workflows[competitor], items);
		return {
			processorMs: (n8n.process.processorTimeMs() - before) / count,
			wallMs: wallMs / count,
		};
	};
	await alternately(BOTH, 1, measure);
	return await alternately(BOTH, rounds, measure);
}

/**
 * Measures by how many bytes n8n's memory grows at most while one execution makes `count` requests.
 * n8n is restarted for each round, since a process seldom gives memory back.
 */
export async function measureMemory(
	environment: BenchEnvironment,
	count: number,
	rounds: number,
): Promise<Both<number[]>> {
	const { n8n } = environment;
	const workflows = await activateBoth(environment);
	const items = itemsOf(makePayouts('memory', count));
	return await alternately(BOTH, rounds, async (competitor) => {
		await n8n.restart();
		await executionTimeMs(n8n, workflows[competitor], items.slice(0, WARM_UP_ITEMS));
		await delay(SETTLING_MS);
		const before = n8n.process.residentMemory();
		let peak = before;
		const sampling = setInterval(
			() => (peak = Math.max(peak, n8n.process.residentMemory())),
			SAMPLING_INTERVAL_MS,
		);
		await executionTimeMs(n8n, workflows[competitor], items).finally(() => clearInterval(sampling));
		return peak - before;
	});
}
