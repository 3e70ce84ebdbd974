/**
 * The measurements of `npm run bench`: payouts with this package's node and with n8n's HTTP Request
 * nodes side by side, in the same real n8n on this machine, against the sandbox in a process of its own.
 * Both are measured alternately, and n8n stores the executions of both, as usual. It fails when this
 * package exceeds the limit of requests. A number scales everything down, and names choose what is
 * measured: `npm run bench -- 0.2 limit stated latency ledger full again`. `workers` needs PostgreSQL and Redis.
 */
import { UNLIMITED } from '../tools/payouts/credentials';
import { addLedgerTable } from '../tools/payouts/ledgerStore';
import { Program } from '../tools/program';
import { HEAD, scaleOf, Sections } from '../tools/bench/payouts/sections';

const args = process.argv.slice(2);
const scale = Number(args.find((arg) => Number(arg) > 0) ?? 1);
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 60 * 60_000;

const NAMES = ['limit', 'stated', 'latency', 'ledger', 'full', 'again'] as const;
/** Measured only when it is named. */
const WORKERS = 'workers' as const;

const program = new Program(HEAD);

async function measure(): Promise<boolean> {
	const environment = await program.start({ sandbox: { requestsPerMinute: UNLIMITED } });
	await addLedgerTable(environment.n8n);

	const sections = new Sections(program, environment, scaleOf(scale));
	const chosen = [...NAMES, WORKERS].filter((name) => args.includes(name));
	let isPassed = true;
	for (const name of chosen.length > 0 ? chosen : NAMES) {
		console.log(`Measuring: ${name} ...`);

		const isSectionPassed = await sections[name]();
		isPassed &&= isSectionPassed;
	}

	return isPassed;
}

void program.run(measure, TIMEOUT_MS);
