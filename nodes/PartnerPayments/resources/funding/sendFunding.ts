import type { Client } from '../../api/client';
import { fundingRequest, type FundingCreate } from '../../api/endpoints';
import { isConflict, outcomeOf, ServiceError } from '../../api/http/errors';
import { captureResult, type SendResult } from '../../api/http/sendWithRetries';
import type { Identified } from '../../api/responseReaders';
import type { Claim, FundedState, Ledger, Payment, Rules, Verdicts } from '../../ledger/ledger';

/** How the one request that moves money has ended. `isRecorded`: whether the ledger has it. */
export type FundingResult =
	| {
			kind: 'funded';
			funding: Identified;
			state: FundedState;
			isRecorded: boolean;
			claim: Claim;
	  }
	/** Nothing was sent. */
	| { kind: 'blocked'; verdicts: Verdicts }
	/** The service refused it, or nobody knows what became of it, as the error says. */
	| { kind: 'failed'; error: unknown; isRecorded: boolean };

/** A process that stopped for longer begins again: its claim may soon count as unconfirmed. */
const MAX_BEGINNING_MS = 5 * 60_000;

/** The funding that is asked for, and what is known of it. */
export interface FundingOrder {
	/** Each with its payable. */
	payments: Payment[];
	body: FundingCreate;
	rules?: Rules | undefined;
	/** Whether an earlier run has made a payable of it, which may have been funded since. */
	hasEarlierPayable: boolean;
}

/**
 * Sends the one request that moves money, once for its payments: a slot of the account's limit, an
 * claim in the ledger, the request, its outcome in the ledger. The numbers are those of
 * docs/contributing/at-most-once.md.
 *
 * @throws LedgerError when the ledger cannot be used, and nothing was sent
 */
export async function sendFunding(
	client: Client,
	ledger: Ledger,
	order: FundingOrder,
): Promise<FundingResult> {
	const { payments, body, rules } = order;
	const payableIds = new Set(payments.map(({ payableId }) => payableId));
	if (payableIds.size < payments.length) {
		return { kind: 'failed', error: sharedPayableError(), isRecorded: true };
	}
	const request = fundingRequest(client, body);

	for (;;) {
		const result = await request.withSlot(async (send): Promise<FundingResult | Delayed> => {
			// (1) to (4)
			const begunAt = Date.now();
			const beginning = await ledger.begin(payments, rules);
			if (beginning.kind === 'blocked') {
				return beginning;
			}
			const { claim } = beginning;
			if (Date.now() - begunAt > MAX_BEGINNING_MS) {
				await claim.withdraw();
				return { kind: 'delayed' };
			}

			// Nothing stands between the beginning and this request.
			const sent = await captureResult(send());

			// (9)
			return await writeDown(claim, sent, order);
		});

		if (result.kind === 'delayed') {
			continue;
		}
		const isNotDone = result.kind === 'failed' && outcomeOf(result.error) !== 'unknown';
		const isRepeated = isNotDone && result.isRecorded && (await request.waitToRetry());
		if (!isRepeated) {
			return result;
		}
	}
}

/** Its process stopped for too long before the request, which was not sent. */
interface Delayed {
	kind: 'delayed';
}

/** Writes the outcome of a funding into the ledger. */
async function writeDown(
	claim: Claim,
	sent: SendResult<Identified>,
	{ body: { method }, hasEarlierPayable }: FundingOrder,
): Promise<FundingResult> {
	if (sent.kind === 'answered') {
		const funding = sent.value;
		const state = method === 'invoice' ? 'awaiting_deposit' : 'funded';
		const isRecorded = await claim.complete(state, String(funding.id));
		return { kind: 'funded', funding, state, isRecorded, claim };
	}

	const error = hasEarlierPayable && isConflict(sent.error) ? doubtAbout(sent.error) : sent.error;
	const isUnknown = outcomeOf(error) === 'unknown';
	const isRecorded = await (isUnknown ? claim.leaveUnconfirmed() : claim.withdraw());
	return { kind: 'failed', error, isRecorded };
}

/**
 * A payable that an earlier run has made, and that does not fit the service's state, may be in a funding that
 * a person has taken for not paid: so it is unconfirmed again.
 */
function doubtAbout(error: unknown): ServiceError {
	const reason =
		error instanceof ServiceError
			? `the service answered ${error.status}: a payable may be in another funding already`
			: String(error);
	return new ServiceError({
		message: `Unconfirmed whether it was funded before: ${reason}`,
		hint: 'Search the service for the funding of the payable before you do anything else.',
		outcome: 'unknown',
		failureKind: 'conflict',
		reason,
	});
}

export const sharedPayableError = (): ServiceError =>
	new ServiceError({
		message: 'The service gave several payouts the same payable, so none of them was funded',
		hint: 'Report it to the operator of the service. Then run it again with the same unique references.',
	});
