import { UNLIMITED } from '../../payouts/credentials';
import { httpRequestPayouts } from '../../payouts/httpRequest';
import { partnerPaymentsPayouts } from '../../payouts/partnerPayments';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import {
	activateBoth,
	type BenchEnvironment,
	type Both,
	executionTimeMs,
	measureBoth,
} from './workflows';

/** The latency of every request. */
export const LATENCY_MS = 150;

/** Makes payouts without a limit at a slow service; returns the milliseconds of each round. */
export async function measureLatency(
	environment: BenchEnvironment,
	count: number,
	rounds: number,
): Promise<Both<number[]>> {
	const { n8n, sandbox } = environment;
	const { control } = sandbox;
	const workflows = await activateBoth(environment, partnerPaymentsPayouts, httpRequestPayouts);
	const measure = async (competitor: keyof Both<unknown>, name: string): Promise<number> => {
		const payouts = makePayouts(`latency-${competitor}-${name}`, count);
		await addPayees(sandbox, payouts);
		return await executionTimeMs(n8n, workflows[competitor], itemsOf(payouts));
	};
	await control.setRequestsPerMinute(UNLIMITED);
	await control.addFault({ kind: 'latency', ms: LATENCY_MS, ratio: 1 });
	await measureBoth(1, async (competitor) => await measure(competitor, 'warm-up'));
	const figures = await measureBoth(
		rounds,
		async (competitor, round) => await measure(competitor, `round-${round}`),
	);
	await control.clearFaults();
	return figures;
}
