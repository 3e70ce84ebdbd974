import { loadavg } from 'node:os';
import { median } from 'simple-statistics';

import type { Environment } from '../../environment';
import { packPackage } from '../../n8n';
import type { LedgerStore } from '../../payouts/ledgerStore';
import type { Program } from '../../program';
import { QueueCluster } from '../../queue/cluster';
import { formatMedian } from '../../statistics';
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
	};
}

/** The names of the columns. */
export const HEAD = ['', 'Partner Payments', 'HTTP Request', 'ratio', 'wanted'];

const STORES: LedgerStore[] = ['node', 'dataTable'];
/** How long the service takes for a request, and the ratios that are wanted of the stores then. */
const LATENCIES = [
	[0, 0.75, 0.9],
	[150, 0.95, 1],
] as const;
const NAMES: Record<LedgerStore, string> = { node: "n8n's store", dataTable: 'Data Table' };

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
		const shareOfMax = ({ sustainedPerWindow }: RateLimitFigures): string =>
			`${((100 * sustainedPerWindow) / MAX_PER_WINDOW).toFixed(1)} %`;
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
			...([shareOfMax(partnerPayments), shareOfMax(httpRequest), 'at least 99 %'] as const),
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
		for (const [ms, ...wanted] of LATENCIES) {
			const figures = await measure(count, rounds, ms);
			this.heading(`${count} payouts, ${ms} ms a call, no limit: ${rounds} rounds`);
			for (const [index, store] of STORES.entries())
				this.compare(
					`${NAMES[store]}: ms at ${ms} ms`,
					figures[store],
					figures.httpRequest,
					0,
					`at most ${wanted[index]}`,
				);
		}
		return true;
	}

	/** What a payout costs with each store, beside HTTP Request nodes. */
	async ledger(): Promise<boolean> {
		const { singleRounds, payouts, payoutRounds } = this.scale;
		const measure = await ledgerBench(this.environment);
		const single = await measure(1, singleRounds);
		this.heading(`A single payout at 0 ms, new ledgers: ${singleRounds} rounds`);
		for (const store of STORES) {
			this.compare(`${NAMES[store]}: ms`, single[store], single.httpRequest, 0);
			const aboveMs = median(single[store]) - median(single.httpRequest);
			const most = `at most ${store === 'dataTable' ? 100 : 40}`;
			this.figure(`${NAMES[store]}: above HTTP Request, ms`, aboveMs.toFixed(0), '', most);
		}
		const many = await measure(payouts, payoutRounds);
		const ofEach = (times: number[]): number[] => times.map((ms) => ms / payouts);
		this.heading(`${payouts} payouts in a run at 0 ms, no limit: ${payoutRounds} rounds`);
		for (const store of STORES) {
			const what = `${NAMES[store]}: ms per payout`;
			this.compare(what, ofEach(many[store]), ofEach(many.httpRequest), 1, 'at most 0.8');
		}
		return true;
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

	/** Adds a row with both medians, and how many times the baseline's this package's is. */
	private compare(what: string, own: number[], peer: number[], digits: number, wanted = ''): void {
		const format = (values: number[]): string =>
			values.length === 1 ? (values[0] ?? NaN).toFixed(digits) : formatMedian(values, digits);
		const ratio = (median(own) / median(peer)).toFixed(2);
		this.table.row(`  ${what}`, format(own), format(peer), ratio, wanted);
	}
}
