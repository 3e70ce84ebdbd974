import type { Program } from '../program';
import { countValues, formatCounts } from '../statistics';
import type { PayoutResult } from './actual';
import { type InvariantCheck, isReportedPaid, isUnconfirmed } from './invariants';
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
	{ what: 'Payouts, each for a vendor of its own', figure: ({ results }) => results.length },
	{
		what: '  executions, by final status',
		figure: ({ executions }) => formatCounts(executions),
	},
	{ what: '  incidents that came too late', figure: ({ missedIncidents }) => missedIncidents },
	{ what: '  requests', figure: ({ requests }) => requests.length },
	{ what: '  of them affected by a fault', figure: faultsOf },
	{ what: '  rounds of resubmission', figure: ({ rounds }) => rounds },
	counting('  reported as paid', isReportedPaid),
	counting('  unconfirmed', isUnconfirmed),
	counting('    actually paid', (one) => isUnconfirmed(one) && isPaid(one)),
];

/** Adds the figures of trials to the table, one column each. */
export function reportTrials(program: Program, trials: Trial[]): void {
	for (const { what, figure } of rows) {
		program.row(what, ...trials.map(figure));
	}
}

/** Prints each invariant with its violations; returns whether there are none. */
export function reportInvariants(checks: InvariantCheck[]): boolean {
	for (const { invariant, violations } of checks) {
		if (violations.length === 0) {
			console.log(`kept      ${invariant}`);
		} else {
			console.log(`VIOLATED  ${invariant}: ${violations.length} times`);
		}

		for (const violation of violations.slice(0, MAX_NAMED)) {
			console.log(`          ${violation}`);
		}
	}

	return checks.every(({ violations }) => violations.length === 0);
}
