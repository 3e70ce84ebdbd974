import { TableBuilder, type Measured } from '../bench/results/table';
import { countValues, formatCounts } from '../statistics';
import type { PayoutResult } from './actual';
import { checkInvariants, type InvariantCheck, isReportedPaid, isUnconfirmed } from './invariants';
import type { Trial } from './trial';

/** Payouts that are named when an invariant is violated. */
const MAX_NAMED = 10;

interface Row {
	what: string;
	figure: (trial: Trial) => string | number;
}

/** How many payouts match. */
const counting = (what: string, matches: (result: PayoutResult) => boolean): Row => ({
	what,
	figure: (trial) => trial.results.filter(matches).length,
});

const isPaid = ({ actual }: PayoutResult): boolean => actual.paid.length > 0;

/** Requests that were affected by a fault, by its kind. */
const faultsOf = ({ requests }: Trial): string => {
	const faults = requests.flatMap(({ faults, status }) =>
		faults
			.filter((kind) => kind !== 'latency')
			.map((kind) => (kind === 'status' ? `status ${status ?? 'none'}` : kind)),
	);

	return formatCounts(countValues(faults));
};

const rows: Row[] = [
	{ what: 'payouts, each for a vendor of its own', figure: ({ results }) => results.length },
	{ what: 'executions, by final status', figure: ({ executions }) => formatCounts(executions) },
	{ what: 'incidents that came too late', figure: ({ missedIncidents }) => missedIncidents },
	{ what: 'requests', figure: ({ requests }) => requests.length },
	{ what: 'requests that a fault has struck', figure: faultsOf },
	{ what: 'rounds of resubmission', figure: ({ rounds }) => rounds },
	counting('reported as paid', isReportedPaid),
	counting('unconfirmed', isUnconfirmed),
	counting('unconfirmed, and actually paid', (one) => isUnconfirmed(one) && isPaid(one)),
];

/** What a trial has led to. Passes when each invariant is kept; violations are printed. */
export function reportTrial(title: string, trial: Trial): Measured {
	const table = new TableBuilder(title, { own: 'measured', peer: '' });
	for (const { what, figure } of rows) {
		table.add({ name: what, own: figure(trial) });
	}

	const checks = checkInvariants(trial, trial.isSettled);
	for (const { invariant, violations } of checks) {
		table.add({ name: `violated: ${invariant}`, own: violations.length, wanted: '0' });
	}

	printViolations(checks);
	return {
		isPassed: checks.every(({ violations }) => violations.length === 0),
		table: table.build(),
	};
}

function printViolations(checks: InvariantCheck[]): void {
	for (const { invariant, violations } of checks.filter((check) => check.violations.length > 0)) {
		console.log(`VIOLATED  ${invariant}: ${violations.length} times`);

		for (const violation of violations.slice(0, MAX_NAMED)) {
			console.log(`          ${violation}`);
		}
	}
}
