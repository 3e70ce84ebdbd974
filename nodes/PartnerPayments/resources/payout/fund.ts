import type { References } from '../../ledger/references';
import { LockedError, type LockedRequest } from '../../ledger/requestLock';
import type { Client } from '../../service/api/client';
import { createFunding, getInvoicePdfUrl, type FundingCreate } from '../../service/api/fundings';
import type { Identified } from '../../service/api/responseReaders';
import { isNotDone, ServiceError } from '../../service/http/errors';
import { DENOMINATION, sum } from '../../shared/money';
import type { Payout } from './payout';

/**
 * Funds approved payouts of one workspace and method together. This is the one request that moves
 * money, and it is sent once.
 *
 * A funding that the service declines has moved nothing. Its halves are tried then, so that one
 * payable that cannot be paid does not stop the others.
 */
export async function fund(
	client: Client,
	references: References,
	payouts: Payout[],
): Promise<void> {
	const body = fundingOf(payouts);
	if (body === undefined) return;
	const request = references.request(payouts.map(referenceOf));
	const funding = await createFunding(client, body, request.beforeSend).catch(
		async (error: unknown) => {
			if (request.isLocked && !isNotDone(error)) {
				const reason = `the funding was sent, and ${reasonOf(error)}`;
				for (const payout of payouts) payout.endInDoubt(reason);
				return;
			}
			await request.release();
			await fundRemaining(client, references, payouts, error);
		},
	);
	if (funding !== undefined) await settle(client, payouts, funding, request);
}

/** The funding of some payouts; undefined when there is nothing to fund. */
function fundingOf(payouts: Payout[]): FundingCreate | undefined {
	const [first] = payouts;
	if (first === undefined || first.request.method === 'none') return undefined;
	const { method, fundingText, payable } = first.request;
	return {
		workspace_id: payable.workspace_id,
		method,
		amount: sum(payouts.map(({ request }) => request.payable.amount)),
		amount_denomination: DENOMINATION,
		...fundingText,
		payable_ids: payouts.flatMap(({ payableId }) => payableId ?? []),
	};
}

/** Continues after a funding that was not made: without the locked payouts, or in halves. */
async function fundRemaining(
	client: Client,
	references: References,
	payouts: Payout[],
	error: unknown,
): Promise<void> {
	if (error instanceof LockedError) {
		for (const payout of payouts) {
			payout.endIfLocked(error.entries.get(referenceOf(payout)) ?? 'claimed');
		}
		const free = payouts.filter(({ hasEnded }) => !hasEnded);
		await fund(client, references, free);
		return;
	}
	const half = Math.ceil(payouts.length / 2);
	// What a conflict is about is not known: a part of the group may have been paid already.
	const isDeclined = error instanceof ServiceError && error.answer === 'declined';
	if (half === payouts.length || !isDeclined) {
		for (const payout of payouts) payout.end('failed', error);
		return;
	}
	await fund(client, references, payouts.slice(0, half));
	await fund(client, references, payouts.slice(half));
}

/** Keeps what the funding led to. */
async function settle(
	client: Client,
	payouts: Payout[],
	{ id }: Identified,
	request: LockedRequest,
): Promise<void> {
	const fundingId = String(id);
	const isInvoice = payouts[0]?.request.method === 'invoice';
	const status = isInvoice ? 'awaiting_deposit' : 'funded';
	for (const payout of payouts) {
		payout.advance(status, { funding_id: fundingId });
		payout.end(status);
	}
	await request.settle();
	if (!isInvoice) return;
	const url = await getInvoicePdfUrl(client, fundingId).catch(() => undefined);
	if (url !== undefined) for (const payout of payouts) payout.advance(status, { pdf_url: url });
}

const reasonOf = (error: unknown): string =>
	error instanceof ServiceError ? error.reason : `something went wrong: ${String(error)}`;

const referenceOf = ({ request }: Payout): string => request.claim.reference;
