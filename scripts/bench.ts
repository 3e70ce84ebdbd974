/**
 * The measurements of `npm run bench`: payouts with this package's node and with n8n's HTTP Request
 * nodes side by side, in the same real n8n on this machine, against the sandbox in a process of its own.
 * Both are measured alternately, and n8n stores the executions of both, as usual. It fails when this
 * package exceeds the limit of requests, pays what it must not, or does not pay what it must.
 *
 * A number scales everything down, names choose what is measured, and `--save` keeps the results in
 * docs/contributing/measured.json and on the page beside it; `--save=<file>` in another file alone:
 * `npm run bench -- 0.2 limit stated latency ledger full again wallet refused memory start --save`.
 * `workers` needs PostgreSQL and Redis. All of it takes about 30 minutes.
 */
import { UNLIMITED } from '../tools/payouts/credentials';
import { addLedgerTable } from '../tools/payouts/ledgerStore';
import { Program } from '../tools/program';
import { prepareSection, scaleOf } from '../tools/bench/payouts/bench';
import { PAYOUT_SECTIONS, type PayoutSection } from '../tools/bench/payouts/sections';
import { readCommandLine } from '../tools/bench/results/commandLine';
import { runSections } from '../tools/bench/results/run';
import { NEWEST_HOST } from '../tools/n8n';
import { findMissingServers } from '../tools/queue/servers';

/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 2 * 60 * 60_000;

const NAMES = Object.keys(PAYOUT_SECTIONS) as PayoutSection[];
const commandLine = readCommandLine(process.argv.slice(2), NAMES);
const program = new Program();

/** The sections that were asked for; all that this machine has the programs for when none was. */
function chooseNames(): PayoutSection[] {
	if (commandLine.names.length > 0) {
		return NAMES.filter((name) => commandLine.names.includes(name));
	}

	const missing = findMissingServers();
	if (missing.length === 0) {
		return NAMES;
	}

	console.error(`NOT MEASURED: "workers" needs ${missing.join(' and ')}.`);
	return NAMES.filter((name) => name !== 'workers');
}

async function measure(): Promise<boolean> {
	const names = chooseNames();
	const environment = await program.start({ sandbox: { requestsPerMinute: UNLIMITED } });
	await addLedgerTable(environment.n8n);

	const bench = { ...environment, scale: scaleOf(commandLine.scale) };
	const sections = names.map((name) => ({
		name,
		measure: async () => {
			await prepareSection(bench);
			return await PAYOUT_SECTIONS[name](bench);
		},
	}));

	return await runSections(sections, {
		...commandLine,
		script: 'bench',
		n8n: NEWEST_HOST.version,
	});
}

void program.run(measure, TIMEOUT_MS);
