/**
 * The measurements of `npm run bench`: payouts with this package's node and with n8n's HTTP Request
 * nodes side by side, in the same real n8n on this machine, against the sandbox in a process of its own.
 * Both are measured alternately, and n8n stores the executions of both, as usual. Ends by itself; fails
 * when this package exceeds the limit of requests, when a full ledger does not know what it has paid, or
 * when the Data Table is slower than n8n's own store within the limit. A number scales everything down,
 * and names choose what is measured: `npm run bench -- 0.2 limit latency work memory ledger direct`.
 */
import { median } from 'simple-statistics';

import { bearerCredential, partnerPaymentsCredential, UNLIMITED } from '../../payouts/credentials';
import { Program } from '../../program';
import { formatMedian } from '../../statistics';
import { measureCost, measureMemory } from './cost';
import { amountConversionUs, eventParsingUs } from './functions';
import { reportLedgers } from './ledgerReport';
import { LATENCY_MS, measureLatency } from './latency';
import {
	LIMIT,
	MAX_PER_WINDOW,
	measureHttpRequest,
	measurePartnerPayments,
	type RateLimitFigures,
	WINDOW_SECONDS,
} from './rateLimit';
import type { BenchEnvironment, Both } from './workflows';

const args = process.argv.slice(2);
const SCALE = Number(args.find((arg) => Number(arg) > 0) ?? 1);
const scaled = (count: number, least: number): number => Math.max(least, Math.round(count * SCALE));

/** Whole batches, as HTTP Request nodes lose time with others; and more than the first burst. */
const LIMITED_PAYOUTS = scaled(5, 2) * LIMIT;
const LATENCY_PAYOUTS = 60;
const LATENCY_ROUNDS = scaled(7, 3);
const COST_ITEMS = scaled(1_000, 200);
const COST_ROUNDS = scaled(7, 3);
const MEMORY_ITEMS = scaled(10_000, 1_000);
const MEMORY_ROUNDS = scaled(4, 2);
const LEDGER_SCALE = {
	singleRounds: scaled(9, 5),
	payouts: scaled(1_000, 200),
	payoutRounds: scaled(3, 2),
	limitedPayouts: LIMITED_PAYOUTS,
	entries: 50_000,
};
/** The whole program is ended when it takes longer. */
const TIMEOUT_MS = 35 * 60_000;

const program = new Program(['', 'Partner Payments', 'HTTP Request', 'ratio', 'wanted']);

/** What can be chosen on the command line; each returns whether it has passed. */
const sections: Record<string, (environment: BenchEnvironment) => Promise<boolean>> = {
	limit: async (environment) => {
		const httpRequest = await measureHttpRequest(environment, LIMITED_PAYOUTS);
		const partnerPayments = await measurePartnerPayments(environment, LIMITED_PAYOUTS);
		const compareFigure = (what: string, key: keyof RateLimitFigures, digits = 1, wanted = '') => {
			const figures = { partnerPayments: [partnerPayments[key]], httpRequest: [httpRequest[key]] };
			compare(what, figures, digits, wanted);
		};
		const shareOfMax = ({ sustainedPerWindow }: RateLimitFigures): string =>
			`${((100 * sustainedPerWindow) / MAX_PER_WINDOW).toFixed(1)} %`;
		heading(
			`${LIMITED_PAYOUTS} payouts at ${LIMIT} requests in ${WINDOW_SECONDS} s, a scaled minute`,
		);
		program.row("  HTTP Request's batches", '', httpRequest.settings, '', '');
		compareFigure('  seconds', 'seconds');
		compareFigure('  requests per payout', 'requestsPerPayout', 2);
		compareFigure('  payouts per scaled minute,\n  the first burst included', 'payoutsPerWindow');
		compareFigure(
			'  payouts per scaled minute,\n  in whole windows',
			'sustainedPerWindow',
			1,
			'at least 1.45',
		);
		program.row(
			`  share of the most possible,\n  ${LIMIT} / (2 + 1/50), in whole windows`,
			shareOfMax(partnerPayments),
			shareOfMax(httpRequest),
			'',
			'at least 95 %',
		);
		const { largestWindow, refused } = partnerPayments;
		const most = `at most ${LIMIT}`;
		program.row(
			'  most requests in any window',
			largestWindow,
			httpRequest.largestWindow,
			'',
			most,
		);
		program.row('  answers 429', refused, httpRequest.refused, '', '0');
		return largestWindow <= LIMIT && refused === 0;
	},
	latency: async (environment) => {
		const figures = await measureLatency(environment, LATENCY_PAYOUTS, LATENCY_ROUNDS);
		heading(
			`${LATENCY_PAYOUTS} payouts, ${LATENCY_MS} ms a call, no limit: ${LATENCY_ROUNDS} rounds`,
		);
		compare('  milliseconds, median (each)', figures, 0);
		return true;
	},
	work: async (environment) => {
		const costs = await measureCost(environment, COST_ITEMS, COST_ROUNDS);
		heading(`Creating ${COST_ITEMS} payables at 0 ms, per request: ${COST_ROUNDS} rounds`);
		for (const [name, key] of [
			['processor time of n8n, ms', 'processorMs'],
			['wall time, ms', 'wallMs'],
		] as const) {
			const figures = mapBoth(costs, (cost) => cost[key]);
			compare(`  ${name}, median (each)`, figures, 2, 'at most 1.0');
		}
		return true;
	},
	memory: async (environment) => {
		const bytes = await measureMemory(environment, MEMORY_ITEMS, MEMORY_ROUNDS);
		heading(`Creating ${MEMORY_ITEMS} payables, n8n started anew: ${MEMORY_ROUNDS} rounds`);
		const megabytes = mapBoth(bytes, (value) => value / 1024 / 1024);
		compare("  growth of n8n's memory, MB,\n  median (each)", megabytes, 0, 'at most 1.0');
		return true;
	},
	ledger: async () => await reportLedgers(program, LEDGER_SCALE),
	direct: async () => {
		heading('Called directly, median');
		program.row('  converting an amount, µs', amountConversionUs().toFixed(2), '', '', '');
		program.row('  parsing an event, µs', eventParsingUs().toFixed(2), '', '', '');
		return await Promise.resolve(true);
	},
};

async function measure(): Promise<boolean> {
	const { n8n, sandbox } = await program.start({ sandbox: { requestsPerMinute: UNLIMITED } });
	const credentials = {
		partnerPayments: await partnerPaymentsCredential(n8n, sandbox),
		httpRequest: await bearerCredential(n8n, sandbox),
	};
	const chosen = Object.keys(sections).filter((name) => args.includes(name));
	let isPassed = true;
	for (const [name, section] of Object.entries(sections)) {
		if (chosen.length > 0 && !chosen.includes(name)) continue;
		console.log(`Measuring: ${name} ...`);
		isPassed = (await section({ n8n, sandbox, credentials })) && isPassed;
	}
	return isPassed;
}

const heading = (text: string): void => {
	program.row(text, '', '', '', '');
};

const mapBoth = <Value>(
	{ partnerPayments, httpRequest }: Both<Value[]>,
	convert: (value: Value) => number,
): Both<number[]> => ({
	partnerPayments: partnerPayments.map(convert),
	httpRequest: httpRequest.map(convert),
});

/** Adds a row with both medians, and how many times the baseline's this package's is. */
function compare(what: string, figures: Both<number[]>, digits: number, wanted = ''): void {
	const { partnerPayments, httpRequest } = figures;
	const format = (values: number[]): string =>
		values.length === 1 ? (values[0] ?? NaN).toFixed(digits) : formatMedian(values, digits);
	const ratio = (median(partnerPayments) / median(httpRequest)).toFixed(2);
	program.row(what, format(partnerPayments), format(httpRequest), ratio, wanted);
}

void program.run(TIMEOUT_MS, measure);
