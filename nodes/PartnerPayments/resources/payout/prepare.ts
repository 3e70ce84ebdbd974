import { approvePayable, createPayable } from '../../service/api/payables';
import type { EntryUpdate, Ledger } from '../../ledger/ledger';
import type { Client } from '../../service/api/client';
import { isInDoubt, ServiceError } from '../../service/http/errors';
import type { Payout } from './payout';

/** How often a payable is created whose creation was not answered. */
const MAX_CREATIONS = 4;

/**
 * Creates the payable of a payout and approves it, or continues where an earlier run has stopped.
 *
 * @throws ServiceError when the service does not take it, or does not answer
 * @throws TakenOverError when another run works on it now
 * @throws LedgerError when the ledger cannot be used
 */
export async function prepare(client: Client, ledger: Ledger, payout: Payout): Promise<void> {
	const payableId = payout.payableId ?? (await create(client, ledger, payout));
	if (payout.entry.state !== 'approved') await approve(client, ledger, payout, payableId);
	if (payout.request.method !== 'none') return;
	await advance(ledger, payout, { state: 'approved' });
	payout.end('approved');
}

/**
 * A creation in doubt is repeated: a payable that was never approved moves no money, so the worst
 * that can be left is a draft.
 *
 * @returns the payable's id
 */
async function create(
	client: Client,
	ledger: Ledger,
	payout: Payout,
	creation = 1,
): Promise<string> {
	const payable = await createPayable(client, payout.request.payable).catch((error: unknown) => {
		if (!isInDoubt(error)) throw error;
		payout.countUnusedPayable();
		if (creation === MAX_CREATIONS) throw notCreatedError(error);
		return undefined;
	});
	if (payable === undefined) return await create(client, ledger, payout, creation + 1);
	const id = String(payable.id);
	await advance(ledger, payout, { state: 'created', facts: { payable_id: id } });
	return id;
}

async function approve(
	client: Client,
	ledger: Ledger,
	payout: Payout,
	payableId: string,
): Promise<void> {
	const { isApprovalUnanswered } = payout.entry;
	await approvePayable(client, payableId).catch(async (error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		// The service declines what it has done already: the funding will tell.
		if (isApprovalUnanswered && error.isRefusal) return;
		if (error.isUnanswered)
			await advance(ledger, payout, { state: 'created', isApprovalUnanswered: true });
		throw error;
	});
	payout.learn({ state: 'approved' });
}

/**
 * Brings a payout to another state before its funding; later runs are told.
 *
 * @throws TakenOverError when another run works on it now
 */
async function advance(ledger: Ledger, payout: Payout, update: EntryUpdate): Promise<void> {
	payout.learn(update);
	await ledger.advance([payout.request.claim], { ...update, facts: payout.entry.facts });
}

const notCreatedError = ({ reason, status, answer }: ServiceError): ServiceError =>
	new ServiceError({
		message: `Could not create the payable, tried ${MAX_CREATIONS} times: ${reason}`,
		hint: 'No money has moved, since nothing was approved. Run it again with the same unique reference. Drafts may be left in the service: approve and fund none of them.',
		status,
		answer,
	});
