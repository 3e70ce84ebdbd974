/**
 * The measurements of `npm run bench:trigger`, in a real n8n on this machine: whether every event is
 * executed exactly once, whatever the sender and a restart of n8n do, and how fast the trigger is beside
 * n8n's own Webhook node. Ends by itself; fails when an event was lost or executed twice. A number scales
 * everything down: `npm run bench:trigger -- 0.1 once`. `once` and `speed`
 * measure one of the two alone.
 */
import { Program } from '../tools/program';
import { addCompetitors } from '../tools/bench/trigger/competitors';
import { measureExactlyOnce } from '../tools/bench/trigger/exactlyOnce';
import { measureThroughput } from '../tools/bench/trigger/speed';

const [scaleArg = '1', ...args] = process.argv.slice(2);
const scale = Number(scaleArg);
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 15 * 60_000;

const program = new Program();

async function measure(): Promise<boolean> {
	const environment = await program.start();
	const competitors = await addCompetitors(environment);
	const bench = {
		...environment,
		...competitors,
		table: program,
		scaled: (count: number) => Math.max(10, Math.round(count * scale)),
	};

	const isExact = args.includes('speed') || (await measureExactlyOnce(bench, true));
	if (!args.includes('once')) {
		await measureThroughput(bench);
	}

	return isExact;
}

void program.run(measure, TIMEOUT_MS);
