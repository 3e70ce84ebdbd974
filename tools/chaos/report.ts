import type { Program } from '../program';
import { countValues, formatCounts } from '../statistics';
import {
	type InvariantCheck,
	isAnswerLost,
	isInDoubt,
	isInterrupted,
	isPaidTwice,
	isReportedPaid,
	type PayoutResult,
	resultsOf,
} from './invariants';
import type { Trial } from './trial';

/** Payouts that are named when an invariant is violated. */
const MAX_NAMED = 10;

type Row = [what: string, figure: (trial: Trial) => string | number];

const count = (
	trial: Trial,
	matches: (result: PayoutResult) => boolean,
	when: 'first' | 'last' = 'last',
): number => resultsOf(trial, when).filter(matches).length;

const isPaid = ({ actual }: PayoutResult): boolean => actual.paid.length > 0;
const isAnswerUnread = ({ actual }: PayoutResult): boolean =>
	actual.fundings.some(({ isClientGone }) => isClientGone);
/** How many payables there are beside the one that was paid, or is to be paid. */
const surplusOf = ({ actual: { paid, unfunded } }: PayoutResult): number =>
	Math.max(0, unfunded.length - (paid.length > 0 ? 0 : 1));

const isFailed = ({ reported }: PayoutResult): boolean => reported?.status === 'failed';
const isUnexplained = (result: PayoutResult): boolean => isInDoubt(result) && !isAnswerLost(result);

/** How many there are, by the incident of their scenario. */
const byIncident = (trial: Trial, matches: (result: PayoutResult) => boolean): string =>
	formatCounts(
		countValues(
			resultsOf(trial)
				.filter(matches)
				.map(({ incident }) => incident),
		),
	);

/** Requests that were affected by a fault, by its kind. */
const faultsOf = ({ last }: Trial): string => {
	const faults = last.state.requests.flatMap(({ faults, status }) =>
		faults
			.filter((kind) => kind !== 'latency')
			.map((kind) => (kind === 'status' ? `status ${status ?? 'none'}` : kind)),
	);
	return formatCounts(countValues(faults));
};

const rows: Row[] = [
	['Payouts, each for a vendor of its own', (trial) => resultsOf(trial).length],
	['  executions, by final status', ({ executions }) => formatCounts(executions)],
	['  incidents that came too late', ({ missedIncidents }) => missedIncidents],
	['  requests', ({ last }) => last.state.requests.length],
	['  of them affected by a fault', faultsOf],
	['After the first submission', () => ''],
	['  reported as paid', (trial) => count(trial, isReportedPaid, 'first')],
	[
		'  paid, but reported as failed',
		(trial) => count(trial, (result) => isPaid(result) && isFailed(result), 'first'),
	],
	[
		'  paid, but not reported at all',
		(trial) => count(trial, (result) => isPaid(result) && result.reported === undefined, 'first'),
	],
	['  in doubt', (trial) => count(trial, isInDoubt, 'first')],
	['  failed', (trial) => count(trial, isFailed, 'first')],
	['At the end: rounds of resubmission', ({ rounds }) => rounds],
	['  vendors paid twice or more often', (trial) => count(trial, isPaidTwice)],
	['    by incident', (trial) => byIncident(trial, isPaidTwice)],
	['  vendors paid once', (trial) => count(trial, ({ actual }) => actual.paid.length === 1)],
	['  vendors not paid', (trial) => count(trial, ({ actual }) => actual.paid.length === 0)],
	['  reported as paid', (trial) => count(trial, isReportedPaid)],
	['  in doubt', (trial) => count(trial, isInDoubt)],
	['    actually paid', (trial) => count(trial, (result) => isInDoubt(result) && isPaid(result))],
	[
		"    a fault kept the funding's answer back",
		(trial) => count(trial, (result) => isInDoubt(result) && isAnswerLost(result)),
	],
	[
		'    n8n was killed or stopped, between claim and answer',
		(trial) => count(trial, (result) => isUnexplained(result) && isInterrupted(result)),
	],
	[
		'      by incident',
		(trial) => byIncident(trial, (result) => isUnexplained(result) && isInterrupted(result)),
	],
	[
		'      of them: funding requested and answered',
		(trial) =>
			count(trial, (result) => isUnexplained(result) && isPaid(result) && !isAnswerUnread(result)),
	],
	[
		'      of them: funding requested, answer not received',
		(trial) => count(trial, (result) => isUnexplained(result) && isAnswerUnread(result)),
	],
	[
		'      of them: funding not requested',
		(trial) =>
			count(trial, (result) => isUnexplained(result) && result.actual.fundings.length === 0),
	],
	[
		'    for no reason',
		(trial) => count(trial, (result) => isUnexplained(result) && !isInterrupted(result)),
	],
	['  failed', (trial) => count(trial, isFailed)],
	['  never reported', (trial) => count(trial, ({ reported }) => reported === undefined)],
	[
		'  surplus payables',
		(trial) => resultsOf(trial).reduce((sum, result) => sum + surplusOf(result), 0),
	],
	[
		'    payouts with any, by incident',
		(trial) => byIncident(trial, (result) => surplusOf(result) > 0),
	],
	['  sum of the ledger', ({ last }) => last.state.ledgerSum],
];

/** Adds the figures of trials to the table, one column each. */
export function reportTrials(program: Program, trials: Trial[]): void {
	for (const [what, figure] of rows) program.row(what, ...trials.map(figure));
}

/** Prints each invariant with its violations; returns whether there are none. */
export function reportInvariants(checks: InvariantCheck[]): boolean {
	for (const { invariant, violations } of checks) {
		const { length } = violations;
		console.log(
			length === 0 ? `kept      ${invariant}` : `VIOLATED  ${invariant}: ${length} times`,
		);
		for (const violation of violations.slice(0, MAX_NAMED)) console.log(`          ${violation}`);
	}
	return checks.every(({ violations }) => violations.length === 0);
}
