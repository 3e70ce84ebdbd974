/**
 * The measurements behind `npm run bench`: payouts with this package's node and with n8n's HTTP Request
 * nodes side by side, in the same real n8n on this machine, against the sandbox in a process of its own.
 * Both are measured in turns, and n8n stores what both have done, as usual. Ends by itself; fails when
 * this package goes over the limit of requests. A number scales everything down, and words choose what
 * is measured: `npm run bench -- 0.2 limit latency work memory direct`.
 */
import { startSandbox } from '../../sandbox/client';
import { N8n, packPackage } from '../n8n';
import { installHost } from '../n8n/install';
import { bearerCredential, ourCredential, UNLIMITED } from '../payouts/credentials';
import { timeOfMoney, timeOfRecognition } from './direct';
import { LATENCY_MS, payALateService } from './latency';
import { LIMIT, MOST_PER_WINDOW, payInBatches, payWithinLimit, WINDOW_SECONDS } from './limited';
import { Program } from './program';
import { median, medianOfAll } from './statistics';
import type { Stage } from './ways';
import { measureMemory, measureWork } from './work';

const words = process.argv.slice(2);
const SCALE = Number(words.find((word) => Number(word) > 0) ?? 1);
const scaled = (count: number, least: number): number => Math.max(least, Math.round(count * SCALE));

/** Whole batches, as HTTP Request nodes lose time with others; and more than the first burst. */
const LIMITED_PAYOUTS = scaled(5, 2) * LIMIT;
const LATE_PAYOUTS = 60;
const LATE_ROUNDS = scaled(7, 3);
const WORK_ITEMS = scaled(1_000, 200);
const WORK_ROUNDS = scaled(7, 3);
const MEMORY_ITEMS = scaled(10_000, 1_000);
const MEMORY_ROUNDS = scaled(4, 2);
/** The whole bench is ended when it takes longer. */
const LIMIT_MS = 25 * 60_000;

const program = new Program(['', 'Partner Payments', 'HTTP Request', 'ratio', 'wanted']);

/** What can be chosen on the command line; each says whether all is well. */
const sections: Record<string, (stage: Stage) => Promise<boolean>> = {
	limit: async (stage) => {
		const theirs = await payInBatches(stage, LIMITED_PAYOUTS);
		const ours = await payWithinLimit(stage, LIMITED_PAYOUTS);
		const share = ours.sustainedPerWindow / MOST_PER_WINDOW;
		heading(
			`${LIMITED_PAYOUTS} payouts at ${LIMIT} requests in ${WINDOW_SECONDS} s, a scaled minute`,
		);
		program.row("  HTTP Request's batches", '', theirs.settings, '', '');
		compare('  seconds', [ours.seconds], [theirs.seconds], 1);
		compare('  requests per payout', [ours.requestsPerPayout], [theirs.requestsPerPayout], 2);
		compare(
			'  payouts per scaled minute,\n  the first burst included',
			[ours.payoutsPerWindow],
			[theirs.payoutsPerWindow],
			1,
		);
		compare(
			'  payouts per scaled minute,\n  in whole windows',
			[ours.sustainedPerWindow],
			[theirs.sustainedPerWindow],
			1,
			'at least 1.45',
		);
		program.row(
			`  share of the most possible,\n  ${LIMIT} / (2 + 1/50), in whole windows`,
			`${(100 * share).toFixed(1)} %`,
			`${((100 * theirs.sustainedPerWindow) / MOST_PER_WINDOW).toFixed(1)} %`,
			'',
			'at least 95 %',
		);
		const [our, their] = [ours.largestWindow, theirs.largestWindow];
		program.row('  most requests in any window', our, their, '', `at most ${LIMIT}`);
		program.row('  answers 429', ours.refused, theirs.refused, '', '0');
		return ours.largestWindow <= LIMIT && ours.refused === 0;
	},
	latency: async (stage) => {
		const { ours, theirs } = await payALateService(stage, LATE_PAYOUTS, LATE_ROUNDS);
		heading(`${LATE_PAYOUTS} payouts, ${LATENCY_MS} ms a call, no limit: ${LATE_ROUNDS} rounds`);
		compare('  milliseconds, median (each)', ours, theirs, 0);
		return true;
	},
	work: async (stage) => {
		const { ours, theirs } = await measureWork(stage, WORK_ITEMS, WORK_ROUNDS);
		heading(`Creating ${WORK_ITEMS} payables at 0 ms, per request: ${WORK_ROUNDS} rounds`);
		for (const [name, key] of [
			['processor time of n8n, ms', 'processor'],
			['wall time, ms', 'wall'],
		] as const) {
			const of = (costs: typeof ours): number[] => costs.map((cost) => cost[key]);
			compare(`  ${name}, median (each)`, of(ours), of(theirs), 2, 'at most 1.0');
		}
		return true;
	},
	memory: async (stage) => {
		const figures = await measureMemory(stage, MEMORY_ITEMS, MEMORY_ROUNDS);
		const mega = (list: number[]): number[] => list.map((bytes) => bytes / 1024 / 1024);
		heading(`Creating ${MEMORY_ITEMS} payables, n8n started anew: ${MEMORY_ROUNDS} rounds`);
		compare(
			"  growth of n8n's memory, MB,\n  median (each)",
			mega(figures.ours),
			mega(figures.theirs),
			0,
			'at most 1.0',
		);
		return true;
	},
	direct: async () => {
		heading('Called directly, median');
		program.row('  an amount, µs', timeOfMoney().toFixed(2), '', '', '');
		program.row('  recognising an event, µs', timeOfRecognition().toFixed(2), '', '', '');
		return await Promise.resolve(true);
	},
};

async function measure(): Promise<boolean> {
	const stage = await setUp();
	const chosen = Object.keys(sections).filter((name) => words.includes(name));
	let isWell = true;
	for (const [name, section] of Object.entries(sections)) {
		if (chosen.length > 0 && !chosen.includes(name)) continue;
		console.log(`Measuring: ${name} ...`);
		isWell = (await section(stage)) && isWell;
	}
	return isWell;
}

async function setUp(): Promise<Stage> {
	await installHost();
	const sandbox = await startSandbox({ requestsPerMinute: UNLIMITED });
	program.stopLater(() => sandbox.stop());
	const n8n = await N8n.start({ tarball: packPackage() });
	program.stopLater(() => n8n.stop());
	return {
		n8n,
		sandbox,
		ours: await ourCredential(n8n, sandbox),
		theirs: await bearerCredential(n8n, sandbox),
	};
}

const heading = (text: string): void => {
	program.row(text, '', '', '', '');
};

/** A row with the medians of both and how many times theirs ours is; all of them when there are several. */
function compare(
	what: string,
	ours: number[],
	theirs: number[],
	digits: number,
	wanted = '',
): void {
	const shown = (values: number[]): string =>
		values.length === 1 ? (values[0] ?? NaN).toFixed(digits) : medianOfAll(values, digits);
	const ratio = (median(ours) / median(theirs)).toFixed(2);
	program.row(what, shown(ours), shown(theirs), ratio, wanted);
}

void program.run(LIMIT_MS, measure);
