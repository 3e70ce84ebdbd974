import { ours } from '../../tools/chaos/contenders';
import { goThrough } from '../../tools/chaos/ordeal';
import { makeRuns } from '../../tools/chaos/plan';
import { casesOf, isInDoubt, isSaidPaid, judge } from '../../tools/chaos/verdict';
import { useBench } from './setup';

const SEED = 3;
const RUNS = 4;
const PAYOUTS_PER_RUN = 25;

const bench = useBench();

test('keeps its promises while the service fails and n8n is killed, stopped and started twice', async () => {
	const runs = makeRuns(SEED, PAYOUTS_PER_RUN, RUNS);
	const ordeal = await goThrough(bench(), ours, runs, SEED, 'all');
	for (const { promise, broken } of judge(ordeal)) {
		expect({ promise, broken }).toEqual({ promise, broken: [] });
	}
	const cases = casesOf(ordeal);
	expect(cases).toHaveLength(RUNS * PAYOUTS_PER_RUN);
	// A trial in which nothing went wrong would prove nothing.
	expect(cases.some(isInDoubt)).toBe(true);
	expect(cases.some(isSaidPaid)).toBe(true);
	expect(ordeal.executions.get('crashed')).toBe(1);
	expect(ordeal.executions.get('canceled')).toBe(1);
});
