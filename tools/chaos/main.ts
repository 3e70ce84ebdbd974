/**
 * The fault injection of `npm run test:chaos`: payouts through a real n8n in production, while the
 * service cuts connections, fails and refuses at every step, n8n is killed, executions are stopped and
 * started twice, tokens expire and the clock jumps. Then everything is submitted again until nothing
 * changes. What n8n reports is compared with what the sandbox knows. The sandbox accepts second fundings,
 * so that a payment made twice is one. Ends by itself; fails when an invariant is violated. A number
 * scales it down, a second one is the seed, `node` or `dataTable` leaves the other store out:
 * `npm run test:chaos -- 0.2 7 node`.
 */
import { UNLIMITED } from '../payouts/credentials';
import { addLedgerTable, type LedgerStore } from '../payouts/ledgerStore';
import { Program } from '../program';
import { checkInvariants } from './invariants';
import { reportInvariants, reportTrials } from './report';
import { makeScenarios } from './scenarios';
import { runTrial, type Trial } from './trial';

const [scale = 1, seed = 1] = process.argv.slice(2).map(Number).filter(Number.isFinite);
const PAYOUTS_PER_SCENARIO = Math.max(20, Math.round(200 * scale));
const STORES: LedgerStore[] = ['node', 'dataTable'];
const chosen = STORES.filter((store) => process.argv.includes(store));
const stores = chosen.length > 0 ? chosen : STORES;
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 40 * 60_000;

const program = new Program(['', ...stores]);

async function measure(): Promise<boolean> {
	const environment = await program.start({
		sandbox: { requestsPerMinute: UNLIMITED, secondFunding: 'accept' },
	});
	await addLedgerTable(environment.n8n);
	const scenarios = makeScenarios(seed, PAYOUTS_PER_SCENARIO);
	console.log(`${scenarios.length} scenarios of ${PAYOUTS_PER_SCENARIO} payouts, seed ${seed} ...`);
	const trials: Trial[] = [];
	for (const store of stores) trials.push(await runTrial(environment, store, scenarios, seed));
	reportTrials(program, trials);
	return reportInvariants(trials.flatMap((trial) => checkInvariants(trial, trial.isSettled)));
}

void program.run(measure, TIMEOUT_MS);
