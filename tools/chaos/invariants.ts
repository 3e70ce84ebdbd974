import type { PayoutResult, Results } from './actual';
import type { Incident } from './scenarios';

/** An invariant of the package, and the payouts that violate it. */
export interface InvariantCheck {
	invariant: string;
	violations: string[];
}

const PAID_STATUSES = ['funded', 'duplicate'];
/** Incidents that end an execution, which may then not know the outcome of its fundings. */
const INTERRUPTIONS: Array<Incident | undefined> = ['kill', 'cancel'];

export const isReportedPaid = ({ reported }: PayoutResult): boolean =>
	PAID_STATUSES.includes(reported?.status ?? '');
export const isUnconfirmed = ({ reported }: PayoutResult): boolean =>
	reported?.status === 'unconfirmed';
const isPaidTwice = ({ actual }: PayoutResult): boolean => actual.paid.length > 1;
/** A fault has kept back the answer to one of its fundings. */
export const isAnswerLost = ({ actual }: PayoutResult): boolean =>
	actual.fundings.some((funding) => funding.isAnswerLost);
/** Its execution was interrupted, so that an answer may not have been received or stored. */
export const isInterrupted = ({ incident }: PayoutResult): boolean =>
	INTERRUPTIONS.includes(incident);
/** An n8n that was not killed knows what it has not sent. */
const mayBeUnconfirmed = ({ incident, actual }: PayoutResult): boolean =>
	incident === 'kill' || (incident === 'cancel' && actual.fundings.length > 0);

/** The report names the payable that was, or may have been, paid. */
const namesPayable = ({ reported, actual }: PayoutResult): boolean =>
	reported?.payableId !== undefined &&
	[...actual.paid, ...actual.unfunded].includes(reported.payableId);

/** A payout with its report, for a message. */
function summarize({ payout, reported }: PayoutResult): string {
	const status = reported?.status ?? 'not reported';
	const parts = [payout.reference, status, reported?.firstStatus, reported?.error];
	return parts.filter(Boolean).join(': ');
}

/**
 * Checks the invariants of payouts with this package's node.
 *
 * @param isSettled whether the last submission of all has changed nothing
 */
export function checkInvariants(
	{ results, ledgerSum }: Results,
	isSettled: boolean,
): InvariantCheck[] {
	const where = (isViolated: (result: PayoutResult) => boolean): string[] =>
		results.filter(isViolated).map(summarize);

	const unbalanced = where(({ actual }) => !actual.isBalanced);
	const isPaidOrUnconfirmed = (result: PayoutResult): boolean =>
		isReportedPaid(result) || isUnconfirmed(result);

	return [
		{ invariant: 'No vendor is paid twice', violations: where(isPaidTwice) },
		{
			invariant: 'No money is created or lost',
			violations: ledgerSum === 0 ? unbalanced : ['the ledger', ...unbalanced],
		},
		{
			invariant: 'Every payout ends as paid or unconfirmed',
			violations: where((result) => !isPaidOrUnconfirmed(result)),
		},
		{
			invariant: 'What is reported as paid is paid',
			violations: where((result) => isReportedPaid(result) && result.actual.paid.length !== 1),
		},
		{
			invariant:
				'What is paid or unconfirmed names its payable, unless its execution was interrupted',
			violations: where(
				(result) => isPaidOrUnconfirmed(result) && !isInterrupted(result) && !namesPayable(result),
			),
		},
		{
			invariant: 'What had the answer to its funding kept back is unconfirmed',
			violations: where((result) => isAnswerLost(result) && !isUnconfirmed(result)),
		},
		{
			invariant:
				'Nothing else is unconfirmed, unless n8n was killed, or stopped while its funding was requested',
			violations: where(
				(result) => isUnconfirmed(result) && !isAnswerLost(result) && !mayBeUnconfirmed(result),
			),
		},
		{
			invariant: 'Nothing changes any more when all is submitted again',
			violations: isSettled ? [] : ['the reports'],
		},
	];
}
