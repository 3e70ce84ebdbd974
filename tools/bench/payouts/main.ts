/**
 * The measurements of `npm run bench`: payouts with this package's node and with n8n's HTTP Request
 * nodes side by side, in the same real n8n on this machine, against the sandbox in a process of its own.
 * Both are measured alternately, and n8n stores the executions of both, as usual. Ends by itself; fails
 * when this package exceeds the limit of requests, when a full ledger does not know what it has paid, or
 * when the Data Table is slower than n8n's own store within the limit. A number scales everything down,
 * and names choose what is measured: `npm run bench -- 0.2 limit latency work ledgerLimit ledger again memory`.
 */
import { UNLIMITED } from '../../payouts/credentials';
import { Program } from '../../program';
import { HEAD, scaleOf, Sections } from './sections';
import { benchEnvironment } from './workflows';

const args = process.argv.slice(2);
const scale = Number(args.find((arg) => Number(arg) > 0) ?? 1);
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 60 * 60_000;

/** The ledgers are filled and n8n is restarted when everything else was measured. */
const NAMES = ['limit', 'latency', 'work', 'ledgerLimit', 'ledger', 'again', 'memory'] as const;

const program = new Program(HEAD);

async function measure(): Promise<boolean> {
	const environment = await program.start({ sandbox: { requestsPerMinute: UNLIMITED } });
	const sections = new Sections(program, await benchEnvironment(environment), scaleOf(scale));
	const chosen = NAMES.filter((name) => args.includes(name));
	let isPassed = true;
	for (const name of chosen.length > 0 ? chosen : NAMES) {
		console.log(`Measuring: ${name} ...`);
		isPassed = (await sections[name]()) && isPassed;
	}
	return isPassed;
}

void program.run(TIMEOUT_MS, measure);
