/**
 * The fault injection of `npm run test:chaos`: payouts through a real n8n in production, while the
 * service cuts connections, fails and refuses at every step, n8n is killed, executions are stopped and
 * started twice, tokens expire and the clock jumps. Then everything is submitted again until nothing
 * changes. What n8n reports is compared with what the sandbox knows. The sandbox accepts second fundings,
 * so that a payment made twice is one. Ends by itself; fails when an invariant is violated. A number
 * scales it down, a second one is the seed. The ledger is in the project; `shared` has it behind n8n's
 * public API instead, and both words measure both: `npm run test:chaos -- 0.2 7 project shared`.
 */
import { UNLIMITED } from '../tools/payouts/credentials';
import { addLedgerTable, type LedgerStore } from '../tools/payouts/ledgerStore';
import { Program } from '../tools/program';
import { checkInvariants } from '../tools/chaos/invariants';
import { reportInvariants, reportTrials } from '../tools/chaos/report';
import { makeScenarios } from '../tools/chaos/scenarios';
import { runTrial, type Trial } from '../tools/chaos/trial';

const [scale = 1, seed = 1] = process.argv.slice(2).map(Number).filter(Number.isFinite);
const PAYOUTS_PER_SCENARIO = Math.max(20, Math.round(200 * scale));
const STORES: LedgerStore[] = ['project', 'shared'];
const chosen = STORES.filter((store) => process.argv.includes(store));
const stores: LedgerStore[] = chosen.length > 0 ? chosen : ['project'];
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 40 * 60_000;

const program = new Program(['', ...stores]);

async function measure(): Promise<boolean> {
	const environment = await program.start({
		sandbox: { requestsPerMinute: UNLIMITED, secondFunding: 'accept' },
	});

	await addLedgerTable(environment.n8n);

	const trials: Trial[] = [];

	for (const store of stores) {
		// Both have the same table, which knows what the other one has paid.
		const scenarios = makeScenarios(seed, PAYOUTS_PER_SCENARIO, { name: store });
		console.log(`${store}: ${scenarios.length} scenarios of ${PAYOUTS_PER_SCENARIO} payouts ...`);
		trials.push(await runTrial(environment, store, scenarios, seed));
	}

	reportTrials(program, trials);
	return reportInvariants(trials.flatMap((trial) => checkInvariants(trial, trial.isSettled)));
}

void program.run(measure, TIMEOUT_MS);
