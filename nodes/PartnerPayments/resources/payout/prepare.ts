import { approvePayable, createPayable } from '../../service/api/payables';
import type { Client } from '../../service/api/client';
import { isInDoubt, ServiceError } from '../../service/http/errors';
import type { Payout } from './payout';

/** How often a payable is created whose creation was not answered. */
const MAX_CREATIONS = 4;

/** Creates the payable of a payout and approves it, or continues where an earlier run has stopped. */
export async function prepare(client: Client, payout: Payout): Promise<void> {
	const payableId = payout.payableId ?? (await create(client, payout));
	if (payout.ledgerEntry.state !== 'approved') await approve(client, payout, payableId);
	if (payout.request.method === 'none') payout.end('approved');
}

/**
 * A creation in doubt is repeated: a payable that was never approved moves no money, so the worst
 * that can be left is a draft.
 *
 * @returns the payable's id
 */
async function create(client: Client, payout: Payout, creation = 1): Promise<string> {
	const payable = await createPayable(client, payout.request.payable).catch((error: unknown) => {
		if (!isInDoubt(error)) throw error;
		payout.countUnusedPayable();
		if (creation === MAX_CREATIONS) throw notCreatedError(error);
		return undefined;
	});
	if (payable === undefined) return await create(client, payout, creation + 1);
	const id = String(payable.id);
	payout.advance('created', { payable_id: id });
	return id;
}

async function approve(client: Client, payout: Payout, payableId: string): Promise<void> {
	await approvePayable(client, payableId).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		// The service declines what it has done already: the funding will tell.
		if (payout.ledgerEntry.isApprovalUnanswered === true && error.isRefusal) return;
		if (error.isUnanswered) payout.keepUnansweredApproval();
		throw error;
	});
	payout.advance('approved');
}

const notCreatedError = ({ message, status, answer }: ServiceError): ServiceError =>
	new ServiceError({
		message: `${message}, ${MAX_CREATIONS} times`,
		hint: 'No money has moved, since nothing was approved. Run it again with the same unique reference; drafts that nobody uses may be left in the service.',
		status,
		answer,
	});
