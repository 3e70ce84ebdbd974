import type { Client } from '../../api/client';
import { fundingRequest, type FundingCreate, type FundingHints } from '../../api/endpoints';
import { isConflict, outcomeOf, ServiceError } from '../../api/http/errors';
import { captureResult, type SendResult } from '../../api/http/retryableRequest';
import type { Identified } from '../../api/responseReaders';
import type { Claim, Ledger, Rules, Verdicts } from '../../ledger/ledger';
import type { FundedState } from '../../ledger/states';
import type { Payment } from '../../ledger/payment';
import { MAX_BEGINNING_MS } from '../../ledger/times';

/** How the one request that moves money has ended. `isRecorded`: whether the ledger has the outcome. */
export type FundingResult =
	| {
			kind: 'funded';
			funding: Identified;
			state: FundedState;
			isRecorded: boolean;
			claim: Claim;
	  }
	/** The ledger allows no claim, so nothing was sent. */
	| { kind: 'blocked'; verdicts: Verdicts }
	/** Nothing was sent: the ledger cannot be used, or the order is wrong. */
	| { kind: 'notSent'; error: unknown }
	/** It was not funded, or nobody knows: `outcomeOf` tells which from the error. */
	| { kind: 'failed'; error: unknown; isRecorded: boolean };

/** The funding that is asked for, and what is known of it. */
export interface FundingOrder {
	/** Each with its payable. */
	payments: Payment[];
	body: FundingCreate;
	rules?: Rules | undefined;
	/** What people are told of a funding that was refused or not answered, where there is something special. */
	hints?: FundingHints | undefined;
	/** What a 409 means: a payout's payable may be in a funding already, whose answer was lost or was wrong. */
	conflictOutcome: 'refused' | 'unknown';
}

/** What a person does with a payout whose funding is in the service: one by invoice moves no money by itself. */
export const WHEN_FOUND =
	'Found: never send it again. If it was canceled, ask the operator of the service. If its method is Invoice, transfer its whole total once, unless someone has, and link the deposit. Then use "Resolve" of "Payout" as "Paid".';

/** What a person does where a funding was resolved as not paid: it may have the payable all the same. */
export const askAboutResolved = (fundingId: string): string =>
	`Funding ${fundingId} was resolved as "Not Paid": transfer nothing. Ask the operator of the service which fundings have its payable. One paid it: use "Paid". None: once these are canceled, use "Not Paid", and run this again. Payable canceled: ask the person responsible about "Void".`;

/** What a person does with a payout whose funding they cannot find. */
export const WHEN_NOT_FOUND =
	'Not found proves nothing: "Not Paid" only after the operator of the service confirms that none exists or is on its way.';

/**
 * Sends the one request that moves money, once for its payments. It waits for a slot of the account's limit,
 * begins a claim in the ledger, sends the request, and writes the outcome into the ledger. The numbers are
 * those of docs/contributing/at-most-once.md.
 *
 * @throws ServiceError when its turn to send did not come: nothing was sent then, or the service refused it for its rate
 */
export async function sendFunding(
	client: Client,
	ledger: Ledger,
	order: FundingOrder,
): Promise<FundingResult> {
	const payableIds = new Set(order.payments.map(({ payableId }) => payableId));
	if (payableIds.size < order.payments.length) {
		return { kind: 'notSent', error: sharedPayableError() };
	}
	const request = fundingRequest(client, order.body, order.hints ?? {});

	for (;;) {
		const result = await request.withSlot(async (send) => {
			// The claim begins within the slot, so that the request can be sent directly after it.
			return await claimAndSend(send, ledger, order);
		});
		if (result.kind === 'delayed') {
			continue;
		}
		// (4) A request is sent again only under a new claim, after this one was withdrawn.
		if (!isWithdrawn(result)) {
			return result;
		}

		const mayRetry = await request.waitToRetry();
		if (!mayRetry) {
			return result;
		}
	}
}

/** Beginning the claim took too long, so the request was not sent. */
interface Delayed {
	kind: 'delayed';
}

/** Begins a claim, sends the request directly after that, and writes the outcome into the ledger. */
async function claimAndSend(
	send: () => Promise<Identified>,
	ledger: Ledger,
	order: FundingOrder,
): Promise<FundingResult | Delayed> {
	// (1) to (4): only the run whose claim has begun may send.
	const begunAt = Date.now();
	const result = await ledger
		.begin(order.payments, order.rules)
		.catch((error: unknown) => ({ kind: 'notSent' as const, error }));
	if (result.kind !== 'begun') {
		return result;
	}

	const { claim } = result;
	if (Date.now() - begunAt > MAX_BEGINNING_MS) {
		// If the ledger does not take this, the rows stay `sending`. Only `preparing` rows can be marked, so the next claim
		// is blocked, and sends nothing.
		await claim.withdraw();
		return { kind: 'delayed' };
	}

	// The request that moves money: do not await anything between the claim and this line. A 401 has had no effect, so
	// only after that is it sent a second time under this claim, with a new token.
	const sending = send();
	const sent = await captureResult(sending);

	// (9) The answer must get into the ledger, whatever goes wrong from here on.
	return await recordOutcome(claim, sent, order);
}

/** Whether it is certain that nothing was funded, and the ledger has taken the claim back. */
const isWithdrawn = (result: FundingResult): boolean =>
	result.kind === 'failed' && result.isRecorded && outcomeOf(result.error) !== 'unknown';

/** Writes the outcome of a funding into the ledger. */
async function recordOutcome(
	claim: Claim,
	sent: SendResult<Identified>,
	{ body, conflictOutcome }: FundingOrder,
): Promise<FundingResult> {
	if (sent.kind === 'succeeded') {
		const funding = sent.value;
		const state = body.method === 'invoice' ? 'awaiting_deposit' : 'funded';
		const isRecorded = await claim.complete(state, String(funding.id)).catch(() => false);
		return { kind: 'funded', funding, state, isRecorded, claim };
	}

	const mayHaveBeenFunded = conflictOutcome === 'unknown' && isConflict(sent.error);
	const error = mayHaveBeenFunded ? fundedBeforeError() : sent.error;
	if (outcomeOf(error) === 'unknown') {
		const isRecorded = await claim.leaveUnconfirmed().catch(() => false);
		return { kind: 'failed', error, isRecorded };
	}

	const isRecorded = await claim.withdraw().catch(() => false);
	return { kind: 'failed', error, isRecorded };
}

/**
 * The service answers 409 for a payable that is in another funding already. An earlier request may have created that
 * one, although its answer said otherwise, or a person has resolved it as not paid by mistake.
 */
function fundedBeforeError(): ServiceError {
	const reason = 'the service answered 409: a payable may be in another funding already';
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
