import { type ActualOutcome, readServiceState } from '../chaos/actual';
import type { ReportedOutcome } from '../chaos/competitors';
import type { PayoutRequest } from '../payouts/payout';
import type { Session } from './session';

/** What came of a scenario: payouts are named by their reference and what was reported of them. */
export interface Outcome {
	payouts: number;
	paidTwice: string[];
	/** Reported as paid, at any time, and not paid. */
	falselyPaid: string[];
	/** Reported as in doubt, and a funding was requested. */
	sentDoubts: string[];
	/** Of them: the service has answered, and no fault kept the answer back. */
	answeredDoubts: string[];
	/** Reported as in doubt, and no funding was ever requested. */
	unsentDoubts: string[];
	/** Neither paid nor reported as in doubt. */
	silentlyUnpaid: string[];
	/** The vendor's balance is not the sum of the payments. */
	unbalanced: string[];
	/** The sum of the service's ledger: zero, unless money was created or lost. */
	ledgerSum: number;
}

interface Result {
	payout: PayoutRequest;
	reported: ReportedOutcome | undefined;
	actual: ActualOutcome;
	wasReportedPaid: boolean;
}

const isPaid = ({ actual }: Result): boolean => actual.paid.length > 0;
const isInDoubt = ({ reported }: Result): boolean => reported?.status === 'in_doubt';
const isSent = ({ actual }: Result): boolean => actual.fundings.length > 0;
const isAnswered = ({ actual }: Result): boolean =>
	!actual.fundings.some(({ isAnswerLost, isClientGone }) => isAnswerLost || isClientGone);

/** Compares what n8n has reported of a session's payouts with what the sandbox knows. */
export async function readOutcome(session: Session): Promise<Outcome> {
	const { payouts, sandbox, reported, everReportedPaid } = session;
	const state = await readServiceState(sandbox.control, payouts, await session.drain());
	const results = payouts.map((payout): Result => {
		const actual = state.outcomes.get(payout.reference);
		if (actual === undefined) throw new Error(`${payout.reference} has no outcome`);
		return {
			payout,
			reported: reported.get(payout.reference),
			actual,
			wasReportedPaid: everReportedPaid.has(payout.reference),
		};
	});
	const where = (matches: (result: Result) => boolean): string[] =>
		results.filter(matches).map(summarize);
	return {
		payouts: payouts.length,
		paidTwice: where(({ actual }) => actual.paid.length > 1),
		falselyPaid: where((result) => result.wasReportedPaid && !isPaid(result)),
		sentDoubts: where((result) => isInDoubt(result) && isSent(result)),
		answeredDoubts: where((result) => isInDoubt(result) && isSent(result) && isAnswered(result)),
		unsentDoubts: where((result) => isInDoubt(result) && !isSent(result)),
		silentlyUnpaid: where((result) => !isPaid(result) && !isInDoubt(result)),
		unbalanced: where(({ actual }) => !actual.isBalanced),
		ledgerSum: state.ledgerSum,
	};
}

const summarize = ({ payout, reported }: Result): string =>
	[payout.reference, reported?.status ?? 'not reported', reported?.firstStatus, reported?.error]
		.filter(Boolean)
		.join(': ');
