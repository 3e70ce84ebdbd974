/**
 * The fault injection of `npm run test:chaos`: payouts through a real n8n in production, while the
 * service cuts connections, fails and refuses at every step, n8n is killed, executions are stopped and
 * started twice, tokens expire and the clock jumps. Then everything is submitted again until nothing
 * changes. What n8n reports is compared with what the sandbox knows, and the same is done to HTTP Request
 * nodes. Ends by itself; fails when an invariant is violated. A number scales it down, a second one is
 * the seed, and `ours` leaves HTTP Request nodes out: `npm run test:chaos -- 0.2 7 ours`.
 */
import { UNLIMITED } from '../payouts/credentials';
import { Program } from '../program';
import { httpRequest, partnerPayments } from './competitors';
import { checkInvariants } from './invariants';
import { reportInvariants, reportTrials } from './report';
import { makeScenarios } from './scenarios';
import { runTrial } from './trial';

const [scale = 1, seed = 1] = process.argv.slice(2).map(Number).filter(Number.isFinite);
const PAYOUTS_PER_SCENARIO = Math.max(20, Math.round(200 * scale));
const withoutBaseline = process.argv.includes('ours');
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 40 * 60_000;

const columns = ['', 'Partner Payments', ...(withoutBaseline ? [] : ['HTTP Request'])];
const program = new Program(columns);

async function measure(): Promise<boolean> {
	const environment = await program.start({ sandbox: { requestsPerMinute: UNLIMITED } });
	const scenarios = makeScenarios(seed, PAYOUTS_PER_SCENARIO);
	console.log(`${scenarios.length} scenarios of ${PAYOUTS_PER_SCENARIO} payouts, seed ${seed} ...`);
	const trials = [await runTrial(environment, partnerPayments, scenarios, seed, 'all')];
	const isPassed = reportInvariants(trials.flatMap(checkInvariants));
	if (!withoutBaseline) {
		console.log('The same with HTTP Request nodes ...');
		trials.push(await runTrial(environment, httpRequest, scenarios, seed, 'unpaid'));
	}
	reportTrials(program, trials);
	return isPassed;
}

void program.run(TIMEOUT_MS, measure);
