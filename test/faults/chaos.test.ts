import { partnerPayments } from '../../tools/chaos/competitors';
import {
	checkInvariants,
	isInDoubt,
	isReportedPaid,
	resultsOf,
} from '../../tools/chaos/invariants';
import type { LedgerStore } from '../../tools/payouts/ledgerStore';
import { makeScenarios } from '../../tools/chaos/scenarios';
import { runTrial } from '../../tools/chaos/trial';
import { useFixture } from '../n8n/support/fixture';

const SEED = 3;
const SCENARIOS = 4;
const PAYOUTS_PER_SCENARIO = 25;
/** n8n is started four times. */
const TIMEOUT_MS = 300_000;

const fixture = useFixture();

test.each<LedgerStore>(['node', 'dataTable'])(
	'with the store %s, keeps its promises while the service fails and n8n is killed, stopped and started twice',
	async (store) => {
		const scenarios = makeScenarios(SEED, PAYOUTS_PER_SCENARIO, SCENARIOS);
		const trial = await runTrial(fixture(), partnerPayments(store), scenarios, SEED, 'all');
		for (const { invariant, violations } of checkInvariants(trial)) {
			expect({ invariant, violations }).toEqual({ invariant, violations: [] });
		}
		const results = resultsOf(trial);
		expect(results).toHaveLength(SCENARIOS * PAYOUTS_PER_SCENARIO);
		// A trial without faults that had an effect would prove nothing.
		expect(results.some(isInDoubt)).toBe(true);
		expect(results.some(isReportedPaid)).toBe(true);
		expect(trial.executions.get('crashed')).toBe(1);
		expect(trial.executions.get('canceled')).toBe(1);
	},
	TIMEOUT_MS,
);
