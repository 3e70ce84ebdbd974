/**
 * The ordeal behind `npm run test:chaos`: payouts through a real n8n in production, while the service
 * cuts connections, fails and refuses at every step, n8n is killed, executions are stopped and started
 * twice, tokens expire and the clock jumps. Then everything is submitted again until nothing changes.
 * What n8n says is held against what the sandbox knows, and the same is done to HTTP Request nodes. Ends
 * by itself; fails when a promise is broken. A number scales it down, a second one is the seed, and
 * `ours` leaves HTTP Request nodes out: `npm run test:chaos -- 0.2 7 ours`.
 */
import { startSandbox } from '../../sandbox/client';
import { Program } from '../bench/program';
import { N8n, packPackage } from '../n8n';
import { installHost } from '../n8n/install';
import { UNLIMITED } from '../payouts/credentials';
import { ours, peer } from './contenders';
import { goThrough } from './ordeal';
import { makeRuns } from './plan';
import { showJudgements, showOrdeals } from './report';
import { judge } from './verdict';

const [scale = 1, seed = 1] = process.argv.slice(2).map(Number).filter(Number.isFinite);
const PAYOUTS_PER_RUN = Math.max(20, Math.round(200 * scale));
const isAlone = process.argv.includes('ours');
/** The whole ordeal is ended when it takes longer. */
const LIMIT_MS = 40 * 60_000;

const program = new Program(['', 'Partner Payments', ...(isAlone ? [] : ['HTTP Request'])]);

async function measure(): Promise<boolean> {
	await installHost();
	const sandbox = await startSandbox({ requestsPerMinute: UNLIMITED });
	program.stopLater(() => sandbox.stop());
	const n8n = await N8n.start({ tarball: packPackage() });
	program.stopLater(() => n8n.stop());
	const runs = makeRuns(seed, PAYOUTS_PER_RUN);
	console.log(`${runs.length} runs of ${PAYOUTS_PER_RUN} payouts, seed ${seed} ...`);
	const own = await goThrough({ n8n, sandbox }, ours, runs, seed, 'all');
	const isKept = showJudgements(judge(own));
	if (isAlone) {
		showOrdeals(program, [own]);
		return isKept;
	}
	console.log('The same with HTTP Request nodes ...');
	showOrdeals(program, [own, await goThrough({ n8n, sandbox }, peer, runs, seed, 'unpaid')]);
	return isKept;
}

void program.run(LIMIT_MS, measure);
