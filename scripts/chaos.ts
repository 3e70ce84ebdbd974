/**
 * The fault injection of `npm run test:chaos`: payouts through a real n8n in production, while the
 * service cuts connections, fails and refuses at every step, n8n is killed, executions are stopped and
 * started twice, tokens expire and the clock jumps. Then everything is submitted again until nothing
 * changes. What n8n reports is compared with what the sandbox knows. The sandbox accepts second fundings,
 * so that a payment made twice is one. Ends by itself; fails when an invariant is violated. A number
 * scales it down, a second one is the seed. The ledger is in the project; `shared` has it behind n8n's
 * public API instead, and both words measure both: `npm run test:chaos -- 0.2 7 project shared`. `--save`
 * keeps the results as in bench.ts.
 */
import { UNLIMITED } from '../tools/payouts/credentials';
import { addLedgerTable, type LedgerStore } from '../tools/payouts/ledgerStore';
import { Program } from '../tools/program';
import { readCommandLine } from '../tools/bench/results/commandLine';
import { runSections } from '../tools/bench/results/run';
import { reportTrial } from '../tools/chaos/report';
import { makeScenarios } from '../tools/chaos/scenarios';
import { runTrial } from '../tools/chaos/trial';
import { NEWEST_HOST } from '../tools/n8n';

const STORES: LedgerStore[] = ['project', 'shared'];
const commandLine = readCommandLine(process.argv.slice(2), STORES);
const { scale, seed, names } = commandLine;
const chosen = STORES.filter((store) => names.includes(store));
const stores: LedgerStore[] = chosen.length > 0 ? chosen : ['project'];
const PAYOUTS_PER_SCENARIO = Math.max(20, Math.round(200 * scale));
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 80 * 60_000;

const program = new Program();

async function measure(): Promise<boolean> {
	const environment = await program.start({
		sandbox: { requestsPerMinute: UNLIMITED, secondFunding: 'accept' },
	});

	await addLedgerTable(environment.n8n);

	const sections = stores.map((store) => ({
		name: `chaos-${store}`,
		selector: store,
		measure: async () => {
			// Both have the same table, which knows what the other one has paid.
			const scenarios = makeScenarios(seed, PAYOUTS_PER_SCENARIO, { name: store });
			const title = `${scenarios.length} scenarios of ${PAYOUTS_PER_SCENARIO} payouts, ${store} ledger`;
			const trial = await runTrial(environment, store, scenarios, seed);
			return reportTrial(title, trial);
		},
	}));

	return await runSections(sections, {
		...commandLine,
		script: 'test:chaos',
		n8n: NEWEST_HOST.version,
	});
}

void program.run(measure, TIMEOUT_MS);
