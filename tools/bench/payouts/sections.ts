import { loadavg } from 'node:os';
import { median } from 'simple-statistics';

import type { Environment } from '../../environment';
import { packPackage } from '../../n8n';
import type { LedgerStore } from '../../payouts/ledgerStore';
import type { Program } from '../../program';
import { QueueCluster } from '../../queue/cluster';
import { formatMedian } from '../../statistics';
import { fullLedgerBench, measureAgain } from './fullLedger';
import { ledgerBench } from './ledger';
import {
	LIMIT,
	MAX_PER_WINDOW,
	measureHttpRequest,
	measurePartnerPayments,
	type RateLimitFigures,
	WINDOW_SECONDS,
} from './rateLimit';
import { measureStated } from './stated';

/** How much is measured. */
export type BenchScale = ReturnType<typeof scaleOf>;

/** What the command line scales down. */
export function scaleOf(scale: number) {
	const scaled = (count: number, least: number): number =>
		Math.max(least, Math.round(count * scale));

	return {
		/** Whole batches, as HTTP Request nodes lose time with others; and more than the first burst. */
		limitedPayouts: scaled(5, 2) * LIMIT,
		latencyPayouts: 60,
		latencyRounds: scaled(7, 3),
		/** Rounds of a single payout, and those of many in one execution. */
		singleRounds: scaled(9, 5),
		payouts: scaled(1_000, 200),
		payoutRounds: scaled(3, 2),
		/** Rows of the full table, and the payouts of a run and its rounds beside an empty one. */
		fullRows: scaled(50_000, 1_000),
		fullPayouts: 50,
		fullRounds: scaled(7, 3),
		/** Known references in a run. */
		againPayouts: scaled(10_000, 1_000),
		againRounds: scaled(3, 2),
	};
}

/** The names of the columns. */
export const HEAD = ['', 'Partner Payments', 'HTTP Request', 'ratio', 'wanted'];

const STORES: LedgerStore[] = ['project', 'shared'];
/** How much longer a single payout may take than with HTTP Request nodes. */
const MAX_ABOVE_MS = 350;
/** How long the service takes for a request, and the ratio that is wanted then. */
const LATENCIES = [
	{ ms: 0, maxRatio: 1.2 },
	{ ms: 150, maxRatio: 1 },
];

const NAMES: Record<LedgerStore, string> = { project: "Project's ledger", shared: 'Shared ledger' };

/** What is measured of payouts, section by section; each returns whether it has passed. */
export class Sections {
	constructor(
		private readonly table: Pick<Program, 'row'>,
		private readonly environment: Environment,
		private readonly scale: BenchScale,
	) {}

	async limit(): Promise<boolean> {
		const { limitedPayouts } = this.scale;
		const httpRequest = await measureHttpRequest(this.environment, limitedPayouts);
		const partnerPayments = await measurePartnerPayments(this.environment, limitedPayouts);
		const compare = (what: string, key: keyof RateLimitFigures, digits = 1, wanted = '') => {
			this.compare(what, [partnerPayments[key]], [httpRequest[key]], digits, wanted);
		};

		const shareOfMax = ({ sustainedPerWindow }: RateLimitFigures): string => {
			const percent = (100 * sustainedPerWindow) / MAX_PER_WINDOW;
			return `${percent.toFixed(1)} %`;
		};

		this.heading(
			`${limitedPayouts} payouts at ${LIMIT} requests in ${WINDOW_SECONDS} s, a scaled minute`,
		);

		this.figure("HTTP Request's batches", '', httpRequest.settings);
		compare('seconds', 'seconds');
		compare('requests per payout', 'requestsPerPayout', 2);

		const inWindows = 'payouts per scaled minute,\n  in whole windows';
		compare(inWindows, 'sustainedPerWindow', 1, 'at least 1.45');
		this.figure(
			`share of the most possible,\n  ${LIMIT} / (2 + 1/50), in whole windows`,
			shareOfMax(partnerPayments),
			shareOfMax(httpRequest),
			'at least 99 %',
		);

		const { largestWindow, refused } = partnerPayments;
		const most = `at most ${LIMIT}`;
		this.figure('most requests in any window', largestWindow, httpRequest.largestWindow, most);
		this.figure('answers 429', refused, httpRequest.refused, '0');
		return largestWindow <= LIMIT && refused === 0;
	}

	/** The seconds, and the answers 429, when a credential states another limit than the service has. */
	async stated(): Promise<boolean> {
		const { n8n } = this.environment;
		this.heading(`${LIMIT} payouts at the same limit`);
		return await measureStated({ n8n, webhooks: [n8n.client] }, this.figure);
	}

	/** The same with two workers, which know nothing of each other's requests. */
	async workers(): Promise<boolean> {
		this.heading(`${LIMIT} payouts at the same limit, by two workers`);

		const cluster = await QueueCluster.start(packPackage(), 2);
		const isPaid = await measureStated(cluster, this.figure);
		await cluster.stop();
		return isPaid;
	}

	async latency(): Promise<boolean> {
		const { latencyPayouts: count, latencyRounds: rounds } = this.scale;
		const measure = await ledgerBench(this.environment);
		for (const { ms, maxRatio } of LATENCIES) {
			const figures = await measure(count, rounds, ms);
			this.heading(`${count} payouts, ${ms} ms a call, no limit: ${rounds} rounds`);

			for (const store of STORES) {
				this.compare(
					`${NAMES[store]}: ms at ${ms} ms`,
					figures[store],
					figures.httpRequest,
					0,
					`at most ${maxRatio}`,
				);
			}
		}

		return true;
	}

	/** What a payout costs with each ledger, beside HTTP Request nodes. */
	async ledger(): Promise<boolean> {
		const { singleRounds, payouts, payoutRounds } = this.scale;
		const measure = await ledgerBench(this.environment);
		const single = await measure(1, singleRounds);
		this.heading(`A single payout at 0 ms: ${singleRounds} rounds`);

		for (const store of STORES) {
			this.compare(`${NAMES[store]}: ms`, single[store], single.httpRequest, 0);

			const aboveMs = median(single[store]) - median(single.httpRequest);
			const name = `${NAMES[store]}: above HTTP Request, ms`;
			this.figure(name, aboveMs.toFixed(0), '', `at most ${MAX_ABOVE_MS}`);
		}

		const many = await measure(payouts, payoutRounds);
		const ofEach = (times: number[]): number[] => times.map((ms) => ms / payouts);
		this.heading(`${payouts} payouts in a run at 0 ms, no limit: ${payoutRounds} rounds`);

		for (const store of STORES) {
			const what = `${NAMES[store]}: ms per payout`;
			this.compare(what, ofEach(many[store]), ofEach(many.httpRequest), 1, 'at most 0.9');
		}

		return true;
	}

	/** What earlier payments cost: a group of payouts with a full table beside one with an empty table. */
	async full(): Promise<boolean> {
		const { fullRows, fullPayouts: count, fullRounds: rounds } = this.scale;
		const measure = await fullLedgerBench(this.environment, fullRows);
		const times = await measure(count, rounds);
		this.heading(
			`${count} payouts at 0 ms, with ${fullRows} rows and with none: ${rounds} rounds\n` +
				'(the right column is the empty table)',
		);

		const pairs = {
			project: { full: times.projectFull, empty: times.projectEmpty },
			shared: { full: times.sharedFull, empty: times.sharedEmpty },
		};

		for (const store of STORES) {
			const { full, empty } = pairs[store];
			this.compare(`${NAMES[store]}: ms, full`, full, empty, 0, 'at most 1.5');
		}

		return true;
	}

	/** What it takes to submit everything again: nothing is paid. */
	async again(): Promise<boolean> {
		const { againPayouts: count, againRounds: rounds } = this.scale;
		const times = await measureAgain(this.environment, count, rounds);
		this.heading(`${count} known references again: ${rounds} rounds`);

		for (const store of STORES) {
			const seconds = times[store].map((ms) => ms / 1000);
			this.figure(`${NAMES[store]}: seconds, again`, formatMedian(seconds, 2), '', 'at most 10');
		}

		return times.requests === 0;
	}

	/** The load shows whether others have used the machine. */
	private heading(text: string): void {
		const [load = NaN] = loadavg();
		this.table.row(`${text}\n(load of the machine ${load.toFixed(1)})`, '', '', '', '');
	}

	private readonly figure = (
		what: string,
		own: string | number,
		peer: string | number = '',
		wanted = '',
	): void => {
		this.table.row(`  ${what}`, own, peer, '', wanted);
	};

	/** Adds a row with both medians, and the ratio of this package's to the baseline's. */
	private compare(what: string, own: number[], peer: number[], digits: number, wanted = ''): void {
		const format = (values: number[]): string =>
			values.length === 1 ? (values[0] ?? NaN).toFixed(digits) : formatMedian(values, digits);

		const ratio = (median(own) / median(peer)).toFixed(2);
		this.table.row(`  ${what}`, format(own), format(peer), ratio, wanted);
	}
}
