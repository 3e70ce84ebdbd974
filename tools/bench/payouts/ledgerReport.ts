import { median } from 'simple-statistics';

import type { LedgerStore } from '../../payouts/ledgerStore';
import type { Program } from '../../program';
import { formatMedian } from '../../statistics';
import type { Competitor, Execution, LedgerBench } from './ledger';
import { LIMIT, WINDOW_SECONDS } from './rateLimit';

/** How much is measured. */
export interface LedgerScale {
	singleRounds: number;
	/** Payouts in one execution without a limit, and how many of these. */
	payouts: number;
	payoutRounds: number;
	/** Payouts in one execution within the limit. */
	limitedPayouts: number;
	/** Entries of the Data Table when it is full. */
	entries: number;
}

type Executions = Record<Competitor, Execution[]>;

const STORES: LedgerStore[] = ['node', 'dataTable'];
const NAMES = {
	node: "n8n's store",
	dataTable: 'Data Table',
	payables: 'only payables, no ledger',
};

/**
 * What the Data Table costs disappears in what the limit makes a run wait for. The window is a tenth of
 * the service's minute, so that this is a hundredth of a run there.
 */
const MAX_LIMITED_RATIO = 1.1;

/**
 * Prints what a payout costs with each store, beside HTTP Request nodes, which remember nothing.
 *
 * @returns whether a full store knows what it has paid, and the Data Table is as fast within the limit
 */
export async function reportLedgers(
	program: Program,
	bench: LedgerBench,
	{ singleRounds, payouts, payoutRounds, limitedPayouts, entries }: LedgerScale,
): Promise<boolean> {
	const report = new LedgerReport(program);
	report.heading(`A single payout at 0 ms, new ledgers: ${singleRounds} rounds`);
	const first = await bench.measure(1, singleRounds);
	for (const store of STORES) {
		report.times(store, 'ms', first);
		const aboveMs = medianMs(first[store]) - medianMs(first.httpRequest);
		const share = ((100 * aboveMs) / medianMs(first[store])).toFixed(0);
		const wanted = store === 'dataTable' ? 'at most 150' : '';
		report.figure(store, 'above HTTP Request, ms', `${aboveMs.toFixed(0)}, ${share} %`, wanted);
		report.blocks(store, first);
	}

	report.heading(`${payouts} payouts in a run at 0 ms, no limit: ${payoutRounds} rounds`);
	const many = await bench.measure(payouts, payoutRounds);
	for (const store of STORES) report.times(store, 'ms per payout', many, payouts);
	const aboveMs = (medianMs(many.dataTable) - medianMs(many.node)) / payouts;
	report.figure('dataTable', "above n8n's store", aboveMs.toFixed(1), 'at most 15');
	for (const competitor of [...STORES, 'payables'] as const) report.blocks(competitor, many);

	report.heading(`${limitedPayouts} payouts at ${LIMIT} requests in ${WINDOW_SECONDS} s`);
	const limited = await bench.measureLimited(limitedPayouts);
	for (const store of STORES) {
		report.figure(store, 'seconds', (limited[store].timeMs / 1000).toFixed(1));
		report.figure(store, 'event loop blocked, ms', limited[store].blockedMs.toFixed(0));
	}
	const limitedRatio = limited.dataTable.timeMs / limited.node.timeMs;
	const most = `at most ${MAX_LIMITED_RATIO}`;
	report.figure('dataTable', "times n8n's store", limitedRatio.toFixed(3), most);

	await bench.fill(entries);
	report.heading(`A single payout with 20,000 in n8n's store, ${entries} in the Data Table`);
	const statuses = await bench.submitKnown();
	const full = await bench.measure(1, singleRounds);
	for (const store of STORES) {
		report.times(store, 'ms', full);
		const ratio = medianMs(full[store]) / medianMs(first[store]);
		report.figure(store, 'times a new ledger', ratio.toFixed(2), 'at most 1.3');
		report.blocks(store, full);
		report.figure(store, 'a payout it knows', String(statuses[store]), 'duplicate');
	}
	const areKnown = STORES.every((store) => statuses[store] === 'duplicate');
	return areKnown && limitedRatio <= MAX_LIMITED_RATIO;
}

const medianMs = (executions: Execution[]): number =>
	median(executions.map(({ timeMs }) => timeMs));

/** The rows of the table. */
class LedgerReport {
	constructor(private readonly program: Program) {}

	heading(text: string): void {
		this.program.row(text, '', '', '', '');
	}

	figure(competitor: keyof typeof NAMES, what: string, value: string, wanted = ''): void {
		this.program.row(`  ${NAMES[competitor]}: ${what}`, value, '', '', wanted);
	}

	/** How long executions took, for each of their payouts. */
	times(store: LedgerStore, what: string, executions: Executions, payouts = 1): void {
		const [own, peer] = [executions[store], executions.httpRequest].map((those) =>
			formatMedian(
				those.map(({ timeMs }) => timeMs / payouts),
				payouts === 1 ? 0 : 1,
			),
		);
		const ratio = medianMs(executions[store]) / medianMs(executions.httpRequest);
		this.program.row(`  ${NAMES[store]}: ${what}`, own ?? '', peer ?? '', ratio.toFixed(2), '');
	}

	/** The longest time for which executions blocked n8n's event loop. */
	blocks(competitor: keyof typeof NAMES, executions: Executions): void {
		const [own, peer] = [executions[competitor], executions.httpRequest].map((those) =>
			Math.max(...those.map(({ blockedMs }) => blockedMs)).toFixed(0),
		);
		const what = `  ${NAMES[competitor]}: event loop blocked,\n  ms at most`;
		this.program.row(what, own ?? '', peer ?? '', '', 'by a store at most 100');
	}
}
