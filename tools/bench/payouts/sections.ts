import { loadavg } from 'node:os';
import { median } from 'simple-statistics';

import { MAX_STORED } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type { LedgerStore } from '../../payouts/ledgerStore';
import type { Program } from '../../program';
import { formatMedian } from '../../statistics';
import { measureCost, measureMemory } from './comparisons';
import { LedgerBench } from './ledger';
import { NODE_HISTORY } from './ledgerHistory';
import {
	LIMIT,
	MAX_PER_WINDOW,
	measureHttpRequest,
	measurePartnerPayments,
	type RateLimitFigures,
	WINDOW_SECONDS,
} from './rateLimit';
import type { BenchEnvironment } from './workflows';

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
		/** Payouts that are submitted again after a restart. */
		again: scaled(10_000, 500),
		costItems: scaled(1_000, 200),
		costRounds: scaled(7, 3),
		memoryItems: scaled(10_000, 1_000),
		memoryRounds: scaled(4, 2),
		/** Rounds of a single payout, and those of many in one execution. */
		singleRounds: scaled(9, 5),
		payouts: scaled(1_000, 200),
		payoutRounds: scaled(3, 2),
		/** What full ledgers hold: in the static data of n8n's own store, and in the Data Table. */
		stored: MAX_STORED,
		entries: 50_000,
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

/**
 * What the Data Table costs disappears in what the limit makes a run wait for. The window is a tenth of
 * the service's minute, so that this is a hundredth of a run there.
 */
const MAX_LIMITED_RATIO = 1.1;

/** What is measured of payouts, section by section; each returns whether it has passed. */
export class Sections {
	constructor(
		private readonly table: Pick<Program, 'row'>,
		private readonly environment: BenchEnvironment,
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
		compare('payouts per scaled minute,\n  the first burst included', 'payoutsPerWindow');
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

	async latency(): Promise<boolean> {
		const { latencyPayouts: count, latencyRounds: rounds } = this.scale;
		const bench = await LedgerBench.create(this.environment);
		for (const [ms, ...wanted] of LATENCIES) {
			const figures = await bench.measure(count, rounds, ms);
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

	/** Passes when nothing that was paid before a restart is sent again. */
	async again(): Promise<boolean> {
		const { again } = this.scale;
		const bench = await LedgerBench.create(this.environment);
		this.heading(`The first ${again} payouts again, after a restart of n8n`);
		let allSent = 0;
		for (const store of STORES) {
			const { seconds, sent } = await bench.measureAgain(store, again);
			this.figure(`${NAMES[store]}: seconds again`, seconds.toFixed(1), '', 'at most 10');
			this.figure(`${NAMES[store]}: requests that change something`, sent, '', '0');
			allSent += sent;
		}
		return allSent === 0;
	}

	async work(): Promise<boolean> {
		const { costItems: count, costRounds: rounds } = this.scale;
		const { partnerPayments, httpRequest } = await measureCost(this.environment, count, rounds);
		this.heading(`Creating ${count} payables at 0 ms, per request: ${rounds} rounds`);
		for (const [name, key] of [
			['processor time of n8n, ms', 'processorMs'],
			['wall time, ms', 'wallMs'],
		] as const) {
			const [own = [], peer = []] = [partnerPayments, httpRequest].map((costs) =>
				costs.map((cost) => cost[key]),
			);
			this.compare(`${name}, median (each)`, own, peer, 2, 'at most 1.0');
		}
		return true;
	}

	async memory(): Promise<boolean> {
		const { memoryItems: count, memoryRounds: rounds } = this.scale;
		const { partnerPayments, httpRequest } = await measureMemory(this.environment, count, rounds);
		const [own = [], peer = []] = [partnerPayments, httpRequest].map((growth) =>
			growth.map((bytes) => bytes / 1024 / 1024),
		);
		this.heading(`Creating ${count} payables, n8n restarted each time: ${rounds} rounds`);
		this.compare("growth of n8n's memory, MB,\n  median (each)", own, peer, 0, 'at most 1.0');
		return true;
	}

	/** What a payout costs with each store, beside HTTP Request nodes; passes when full stores know it. */
	async ledger(): Promise<boolean> {
		const { singleRounds, payouts, payoutRounds, stored, entries } = this.scale;
		const bench = await LedgerBench.create(this.environment);
		const single = await bench.measure(1, singleRounds);
		this.heading(`A single payout at 0 ms, new ledgers: ${singleRounds} rounds`);
		for (const store of STORES) {
			this.compare(`${NAMES[store]}: ms`, single[store], single.httpRequest, 0);
			const aboveMs = median(single[store]) - median(single.httpRequest);
			const most = `at most ${store === 'dataTable' ? 100 : 40}`;
			this.figure(`${NAMES[store]}: above HTTP Request, ms`, aboveMs.toFixed(0), '', most);
		}
		const many = await bench.measure(payouts, payoutRounds);
		const ofEach = (times: number[]): number[] => times.map((ms) => ms / payouts);
		this.heading(`${payouts} payouts in a run at 0 ms, no limit: ${payoutRounds} rounds`);
		for (const store of STORES) {
			const what = `${NAMES[store]}: ms per payout`;
			this.compare(what, ofEach(many[store]), ofEach(many.httpRequest), 1, 'at most 0.8');
		}

		await bench.fill(stored, entries);
		const statuses = await bench.submitKnown();
		const full = await bench.measure(1, singleRounds);
		this.heading(`A single one with ${NODE_HISTORY} in n8n's store, ${entries} in the Data Table`);
		for (const store of STORES) {
			this.compare(`${NAMES[store]}: ms`, full[store], full.httpRequest, 0);
			const ratio = median(full[store]) / median(single[store]);
			const most = `at most ${store === 'dataTable' ? 1.3 : 1.5}`;
			this.figure(`${NAMES[store]}: times a new ledger`, ratio.toFixed(2), '', most);
			this.figure(`${NAMES[store]}: a payout it knows`, String(statuses[store]), '', 'duplicate');
		}
		return STORES.every((store) => statuses[store] === 'duplicate');
	}

	/** Passes when the Data Table is as fast as n8n's own store within the limit. */
	async ledgerLimit(): Promise<boolean> {
		const { limitedPayouts } = this.scale;
		const bench = await LedgerBench.create(this.environment);
		const seconds = await bench.measureLimited(limitedPayouts);
		this.heading(`${limitedPayouts} payouts at ${LIMIT} requests in ${WINDOW_SECONDS} s`);
		for (const store of STORES) this.figure(`${NAMES[store]}: seconds`, seconds[store].toFixed(1));
		const ratio = seconds.dataTable / seconds.node;
		const most = `at most ${MAX_LIMITED_RATIO}`;
		this.figure("Data Table: times n8n's store", ratio.toFixed(3), '', most);
		return ratio <= MAX_LIMITED_RATIO;
	}

	/** The load shows whether others have used the machine. */
	private heading(text: string): void {
		const [load = NaN] = loadavg();
		this.table.row(`${text}\n(load of the machine ${load.toFixed(1)})`, '', '', '', '');
	}

	private figure(
		what: string,
		own: string | number,
		peer: string | number = '',
		wanted = '',
	): void {
		this.table.row(`  ${what}`, own, peer, '', wanted);
	}

	/** Adds a row with both medians, and how many times the baseline's this package's is. */
	private compare(what: string, own: number[], peer: number[], digits: number, wanted = ''): void {
		const format = (values: number[]): string =>
			values.length === 1 ? (values[0] ?? NaN).toFixed(digits) : formatMedian(values, digits);
		const ratio = (median(own) / median(peer)).toFixed(2);
		this.table.row(`  ${what}`, format(own), format(peer), ratio, wanted);
	}
}
