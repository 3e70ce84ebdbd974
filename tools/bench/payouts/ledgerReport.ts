import { loadavg } from 'node:os';
import { median } from 'simple-statistics';

import type { LedgerStore } from '../../payouts/ledgerStore';
import type { Program } from '../../program';
import { formatMedian } from '../../statistics';
import { type Execution, type Executions, LedgerBench, newExecutions } from './ledger';
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
export async function reportLedgers(program: Program, scale: LedgerScale): Promise<boolean> {
	const report = new LedgerReport(program);
	const bench = await LedgerBench.start();
	try {
		const areKnown = await reportSingle(report, bench, scale);
		await reportMany(report, bench, scale);
		return (await reportLimited(report, bench, scale)) && areKnown;
	} finally {
		await bench.stop();
	}
}

/** New and full ledgers are in an n8n each, since n8n measures all of its Data Tables at every write. */
async function reportSingle(
	report: LedgerReport,
	bench: LedgerBench,
	{ singleRounds, entries }: LedgerScale,
): Promise<boolean> {
	const fullBench = await LedgerBench.start();
	try {
		await fullBench.fill(entries);
		const statuses = await fullBench.submitKnown();
		const [first, full] = [newExecutions(), newExecutions()];
		for (let round = 0; round < singleRounds; round += 1) {
			await bench.measure(1, 1, first);
			await fullBench.measure(1, 1, full);
		}
		report.heading(`A single payout at 0 ms, new ledgers: ${singleRounds} rounds`);
		for (const store of STORES) {
			report.times(store, 'ms', first);
			const aboveMs = medianMs(first[store]) - medianMs(first.httpRequest);
			const share = ((100 * aboveMs) / medianMs(first[store])).toFixed(0);
			const wanted = store === 'dataTable' ? 'at most 150' : '';
			report.figure(store, 'above HTTP Request, ms', `${aboveMs.toFixed(0)}, ${share} %`, wanted);
			report.blocks(store, first);
		}
		report.heading(`The same with 20,000 in n8n's store, ${entries} in the Data Table`);
		for (const store of STORES) {
			report.times(store, 'ms', full);
			const ratio = medianMs(full[store]) / medianMs(first[store]);
			report.figure(store, 'times a new ledger', ratio.toFixed(2), 'at most 1.3');
			report.blocks(store, full);
			report.figure(store, 'a payout it knows', String(statuses[store]), 'duplicate');
		}
		return STORES.every((store) => statuses[store] === 'duplicate');
	} finally {
		await fullBench.stop();
	}
}

async function reportMany(
	report: LedgerReport,
	bench: LedgerBench,
	{ payouts, payoutRounds }: LedgerScale,
): Promise<void> {
	const executions = await bench.measure(payouts, payoutRounds);
	report.heading(`${payouts} payouts in a run at 0 ms, no limit: ${payoutRounds} rounds`);
	for (const store of STORES) report.times(store, 'ms per payout', executions, payouts);
	const aboveMs = (medianMs(executions.dataTable) - medianMs(executions.node)) / payouts;
	report.figure('dataTable', "above n8n's store", aboveMs.toFixed(1), 'at most 15');
	for (const competitor of [...STORES, 'payables'] as const) report.blocks(competitor, executions);
}

async function reportLimited(
	report: LedgerReport,
	bench: LedgerBench,
	{ limitedPayouts }: LedgerScale,
): Promise<boolean> {
	const executions = await bench.measureLimited(limitedPayouts);
	report.heading(`${limitedPayouts} payouts at ${LIMIT} requests in ${WINDOW_SECONDS} s`);
	for (const store of STORES) {
		const { timeMs, blockedMs } = executions[store];
		report.figure(store, 'seconds', (timeMs / 1000).toFixed(1));
		report.figure(store, 'event loop blocked, ms', blockedMs.toFixed(0));
	}
	const ratio = executions.dataTable.timeMs / executions.node.timeMs;
	report.figure('dataTable', "times n8n's store", ratio.toFixed(3), `at most ${MAX_LIMITED_RATIO}`);
	return ratio <= MAX_LIMITED_RATIO;
}

const medianMs = (executions: Execution[]): number =>
	median(executions.map(({ timeMs }) => timeMs));

/** The rows of the table. */
class LedgerReport {
	constructor(private readonly program: Program) {}

	/** The load tells whether others have used the machine. */
	heading(text: string): void {
		const [load = NaN] = loadavg();
		this.program.row(`${text}\n(load of the machine ${load.toFixed(1)})`, '', '', '', '');
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
