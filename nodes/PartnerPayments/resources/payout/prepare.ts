import type { Client } from '../../service/api/client';
import { approvePayable, createPayable } from '../../service/api/payables';
import { isInDoubt, ServiceError } from '../../service/http/errors';
import type { Payout } from './payout';

/** How often a payable is created whose creation was not answered. */
const MAX_CREATIONS = 4;

/**
 * Creates and approves the payable of a payout, unless an earlier run has prepared one.
 *
 * @throws ServiceError when the service does not take it, or does not answer
 */
export async function prepare(client: Client, payout: Payout): Promise<void> {
	if (payout.known.payableId !== undefined) return;
	const payableId = await create(client, payout);
	payout.known = { payableId };
	await approvePayable(client, payableId);
	payout.isToBeKept = true;
}

/** A creation without an answer is repeated: a payable that was never approved moves no money. */
async function create(client: Client, payout: Payout, creation = 1): Promise<string> {
	return await createPayable(client, payout.request.payable).then(
		({ id }) => String(id),
		async (error: unknown) => {
			if (!isInDoubt(error)) throw error;
			if (creation === MAX_CREATIONS) throw notCreatedError(error);
			return await create(client, payout, creation + 1);
		},
	);
}

const notCreatedError = ({ reason, status, answer }: ServiceError): ServiceError =>
	new ServiceError({
		message: `Could not create the payable, tried ${MAX_CREATIONS} times: ${reason}`,
		hint: 'No money has moved. Run it again with the same unique reference. The service may have drafts of it: do not approve or fund them.',
		status,
		answer,
	});
