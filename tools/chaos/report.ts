import type { Program } from '../program';
import { countValues, formatCounts } from '../statistics';
import {
	type InvariantCheck,
	isAnswerLost,
	isUnconfirmed,
	isInterrupted,
	isReportedPaid,
	type PayoutResult,
	resultsOf,
} from './invariants';
import type { Trial } from './trial';

/** Payouts that are named when an invariant is violated. */
const MAX_NAMED = 10;

type Row = [what: string, figure: (trial: Trial) => string | number];

/** How many payouts match. */
const counting = (what: string, matches: (result: PayoutResult) => boolean): Row => [
	what,
	(trial) => resultsOf(trial).filter(matches).length,
];

const isPaid = ({ actual }: PayoutResult): boolean => actual.paid.length > 0;
/** Unconfirmed since n8n was killed or stopped between the attempt and the answer. */
const isCutOff = (result: PayoutResult): boolean =>
	isUnconfirmed(result) && !isAnswerLost(result) && isInterrupted(result);

/** Requests that were affected by a fault, by its kind. */
const faultsOf = ({ state }: Trial): string => {
	const faults = state.requests.flatMap(({ faults, status }) =>
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
	['  requests', ({ state }) => state.requests.length],
	['  of them affected by a fault', faultsOf],
	['  rounds of resubmission', ({ rounds }) => rounds],
	counting('  reported as paid', isReportedPaid),
	counting('  unconfirmed', isUnconfirmed),
	counting('    actually paid', (one) => isUnconfirmed(one) && isPaid(one)),
	counting(
		"    a fault kept the funding's answer back",
		(one) => isUnconfirmed(one) && isAnswerLost(one),
	),
	counting('    n8n was killed or stopped, between attempt and answer', isCutOff),
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
