/**
 * The measurements of `npm run bench:trigger`, in a real n8n on this machine: whether every event is
 * executed exactly once, whatever the sender and a restart of n8n do, and how fast the trigger is beside
 * n8n's own Stripe Trigger and Webhook node. Stripe's API is answered on this machine; it only serves to
 * activate that trigger. Ends by itself; fails when an event was lost or executed twice.
 *
 * A number scales everything down, `once` and `speed` choose one of the two, and `--save` keeps the results
 * as in bench.ts: `npm run bench:trigger -- 0.1 once --save`. All of it takes about 20 minutes.
 */
import { addLedgerTable } from '../tools/payouts/ledgerStore';
import { Program } from '../tools/program';
import { readCommandLine } from '../tools/bench/results/commandLine';
import { runSections } from '../tools/bench/results/run';
import { addCompetitors } from '../tools/bench/trigger/competitors';
import { TRIGGER_SECTIONS, type TriggerSection } from '../tools/bench/trigger/sections';
import { NEWEST_HOST } from '../tools/n8n';
import { type Services, startServices } from '../tools/services';

/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 60 * 60_000;

/** How long n8n may end executions before it is killed: what it takes itself unless told otherwise. */
const GRACE = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '30' };

const NAMES = Object.keys(TRIGGER_SECTIONS) as TriggerSection[];
const commandLine = readCommandLine(process.argv.slice(2), NAMES);
const program = new Program();

async function measure(): Promise<boolean> {
	const services = await startServices();
	try {
		return await measureWith(services);
	} finally {
		services.stop();
	}
}

async function measureWith(services: Services): Promise<boolean> {
	const environment = await program.start({
		n8n: { env: { ...services.environment, ...GRACE } },
	});
	const ledgerId = await addLedgerTable(environment.n8n);

	const competitors = await addCompetitors(environment, services);
	const bench = {
		...environment,
		...competitors,
		ledgerId,
		scaled: (count: number) => Math.max(10, Math.round(count * commandLine.scale)),
	};

	const { names } = commandLine;
	const chosen = NAMES.filter((name) => names.length === 0 || names.includes(name));
	const sections = chosen.map((name) => ({
		name,
		measure: async () => await TRIGGER_SECTIONS[name](bench),
	}));

	return await runSections(sections, {
		...commandLine,
		script: 'bench:trigger',
		n8n: NEWEST_HOST.version,
	});
}

void program.run(measure, TIMEOUT_MS);
