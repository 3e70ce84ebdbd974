import Table from 'cli-table3';

import type { LedgerStore } from '../payouts/ledgerStore';
import { formatCounts } from '../statistics';
import type { QueueCluster } from './cluster';
import type { Outcome } from './figures';
import type { Session } from './session';

const HEAD = [
	'scenario',
	'store',
	'rounds',
	'payouts',
	'paid twice',
	'falsely reported as paid',
	'in doubt: sent',
	'of them answered',
	'in doubt: never sent',
	'unpaid without a word',
	'resub- mitted',
	'executions by worker',
	'answers by status',
	'seconds',
];

const COLUMN_WIDTHS = [30, 11, 8, 9, 8, 10, 10, 10, 10, 10, 10, 12, 12, 9];

/** The figures of a run of the suite. */
export class QueueReport {
	private readonly table = new Table({
		style: { border: [], head: [] },
		head: HEAD,
		wordWrap: true,
		colWidths: COLUMN_WIDTHS,
	});

	/** Begins a scenario; the returned function adds its row at its end. */
	start(
		title: string,
		store: LedgerStore,
		rounds: number,
		cluster: QueueCluster,
	): { end: (outcome: Outcome, session: Session) => void } {
		const startedAt = Date.now();
		const executionsBefore = cluster.startedExecutions();
		const end = (outcome: Outcome, session: Session): void => {
			const executions = cluster
				.startedExecutions()
				.map((count, index) => count - (executionsBefore[index] ?? 0));
			const seconds = Math.round((Date.now() - startedAt) / 1000);
			this.table.push([
				...[title, store, rounds, outcome.payouts, outcome.paidTwice.length],
				...[outcome.falselyPaid, outcome.sentDoubts, outcome.answeredDoubts].map(countOf),
				...[outcome.unsentDoubts, outcome.silentlyUnpaid].map(countOf),
				session.resubmissions,
				executions.join(', '),
				formatCounts(session.answers),
				seconds,
			]);
			const violations = [outcome.paidTwice, outcome.falselyPaid, outcome.silentlyUnpaid];
			const doubts = [outcome.sentDoubts, outcome.answeredDoubts, outcome.unsentDoubts];
			process.stdout.write(
				`${store}: ${title}: ${rounds} rounds, ${outcome.payouts} payouts, ${seconds} s; ` +
					`twice, falsely paid, unpaid without a word: ${violations.map(countOf).join(', ')}; ` +
					`in doubt: sent, of them answered, never sent: ${doubts.map(countOf).join(', ')}\n`,
			);
		};
		return { end };
	}

	/** Prints the table. */
	print(): void {
		process.stdout.write(`${this.table.toString()}\n`);
	}
}

const countOf = ({ length }: string[]): number => length;
