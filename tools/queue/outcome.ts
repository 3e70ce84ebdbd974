import { readServiceState } from '../chaos/actual';
import { isPaidTwice, isUnconfirmed, type PayoutResult, summarize } from '../chaos/invariants';
import { formatCounts } from '../statistics';
import type { Session } from './session';

/** What a scenario has led to: payouts are named by their reference and what was reported of them. */
export type Outcome = Awaited<ReturnType<typeof readOutcome>>;

const isPaid = ({ actual }: PayoutResult): boolean => actual.paid.length > 0;
const isSent = ({ actual }: PayoutResult): boolean => actual.fundings.length > 0;
const isAnswered = ({ actual }: PayoutResult): boolean =>
	!actual.fundings.some(({ isAnswerLost, isClientGone }) => isAnswerLost || isClientGone);

/** Compares what n8n has reported of a session's payouts with what the sandbox knows. */
export async function readOutcome(session: Session) {
	const { payouts, sandbox, reported, everReportedPaid } = session;
	const state = await readServiceState(sandbox.control, payouts, await session.drain());
	const results = payouts.map((payout): PayoutResult => {
		const actual = state.outcomes.get(payout.reference);
		if (actual === undefined) throw new Error(`${payout.reference} has no outcome`);
		return { payout, reported: reported.get(payout.reference), actual };
	});
	const where = (matches: (result: PayoutResult) => boolean): string[] =>
		results.filter(matches).map(summarize);
	return {
		payouts: payouts.length,
		paidTwice: where(isPaidTwice),
		/** Reported as paid, at any time, and not paid. */
		falselyPaid: where(
			(result) => everReportedPaid.has(result.payout.reference) && !isPaid(result),
		),
		/** A funding was requested. */
		sentUnconfirmed: where((result) => isUnconfirmed(result) && isSent(result)),
		/** Of them: the service has answered, and no fault kept the answer back. */
		answeredUnconfirmed: where(
			(result) => isUnconfirmed(result) && isSent(result) && isAnswered(result),
		),
		unsentUnconfirmed: where((result) => isUnconfirmed(result) && !isSent(result)),
		silentlyUnpaid: where((result) => !isPaid(result) && !isUnconfirmed(result)),
		unbalanced: where(({ actual }) => !actual.isBalanced),
		/** Zero, unless money was created or lost. */
		ledgerSum: state.ledgerSum,
	};
}

/** The figures of a scenario, as one line. */
export function formatOutcome(outcome: Outcome, { resubmissions, answers }: Session): string {
	const counts = Object.entries(outcome).map(([name, value]: [string, string[] | number]) =>
		[name, Array.isArray(value) ? value.length : value].join(': '),
	);
	return `${counts.join(', ')}; submitted again: ${resubmissions}; answers by status: ${formatCounts(answers)}`;
}
