import type { Client } from '../../api/client';
import { fundingRequest, type FundingCreate } from '../../api/endpoints';
import { outcomeOf, ServiceError } from '../../api/http/errors';
import { captureResult, type SendResult } from '../../api/http/sendWithRetries';
import type { Identified } from '../../api/responseReaders';
import type { Attempt, Entry, FundedState, Ledger, Payment, Rules } from '../../ledger/ledger';

/** How the one request that moves money has ended. `isRecorded`: whether the ledger has it. */
export type FundingResult =
	| {
			kind: 'funded';
			funding: Identified;
			state: FundedState;
			isRecorded: boolean;
			attempt: Attempt;
	  }
	/** Nothing was sent. The entries of all payments, in their order. */
	| { kind: 'blocked'; entries: Entry[] }
	/** The service refused it, or nobody knows what became of it, as the error says. */
	| { kind: 'failed'; error: unknown; isRecorded: boolean };

/** A process that stopped for longer begins again: its attempt may soon count as unconfirmed. */
const MAX_BEGINNING_MS = 5 * 60_000;

/**
 * Sends the one request that moves money, once for its payments: a slot of the account's limit, an
 * attempt in the ledger, the request, its outcome in the ledger. The numbers are those of
 * docs/contributing/at-most-once.md.
 *
 * @param payments each with its payable
 * @throws LedgerError when the ledger cannot be used, and nothing was sent
 */
export async function sendFunding(
	client: Client,
	ledger: Ledger,
	payments: Payment[],
	body: FundingCreate,
	rules?: Rules,
): Promise<FundingResult> {
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
			const { attempt } = beginning;
			if (Date.now() - begunAt > MAX_BEGINNING_MS) {
				await attempt.withdraw();
				return { kind: 'delayed' };
			}

			// Nothing stands between the beginning and this request.
			const sent = await captureResult(send());

			// (9)
			return await writeDown(attempt, sent, body);
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
	attempt: Attempt,
	sent: SendResult<Identified>,
	{ method }: FundingCreate,
): Promise<FundingResult> {
	if (sent.kind === 'answered') {
		const funding = sent.value;
		const state = method === 'invoice' ? 'awaiting_deposit' : 'funded';
		const isRecorded = await attempt.complete(state, String(funding.id));
		return { kind: 'funded', funding, state, isRecorded, attempt };
	}
	const { error } = sent;
	const isUnknown = outcomeOf(error) === 'unknown';
	const isRecorded = await (isUnknown ? attempt.leaveUnconfirmed() : attempt.withdraw());
	return { kind: 'failed', error, isRecorded };
}

export const sharedPayableError = (): ServiceError =>
	new ServiceError({
		message: 'The service gave several payouts the same payable, so none of them was funded',
		hint: 'Report it to the operator of the service. Then run it again with the same unique references.',
	});
