import { isInDoubt, ServiceError } from '../../service/http/errors';
import { approvePayable, createPayable } from '../../service/api/payables';
import type { Service } from '../../service/api/client';
import type { Payout } from './payout';

/** How often a payable is created whose creation was not answered. */
const MOST_CREATIONS = 4;

/** Creates the payable of a payout and approves it, or goes on where an earlier run has stopped. */
export async function prepare(service: Service, payout: Payout): Promise<void> {
	const payableId = payout.payableId ?? (await create(service, payout));
	if (!payout.hasReached('approved')) await approve(service, payout, payableId);
	if (payout.order.method === 'none') payout.end('approved');
}

/**
 * A creation in doubt is repeated: a payable that was never approved moves no money, so the worst
 * that can be left is a draft.
 *
 * @returns the payable's id
 */
async function create(service: Service, payout: Payout, creation = 1): Promise<string> {
	const payable = await createPayable(service, payout.order.payable).catch((error: unknown) => {
		if (!isInDoubt(error)) throw error;
		payout.mayHaveLeftPayable();
		if (creation === MOST_CREATIONS) throw notCreated(error);
		return undefined;
	});
	if (payable === undefined) return await create(service, payout, creation + 1);
	const id = String(payable.id);
	payout.reach('created', { payable_id: id });
	return id;
}

async function approve(service: Service, payout: Payout, payableId: string): Promise<void> {
	const isRepeated = payout.hasReached('approving');
	await approvePayable(service, payableId).catch((error: unknown) => {
		// The service refuses what it has done already: the funding will tell.
		if (isRepeated && error instanceof ServiceError && error.isRefusal) return;
		if (error instanceof ServiceError && error.unanswered) payout.reach('approving');
		throw error;
	});
	payout.reach('approved');
}

function notCreated({ message, status }: ServiceError): ServiceError {
	return new ServiceError(
		`${message}, ${MOST_CREATIONS} times`,
		'No money has moved, since nothing was approved. Run it again with the same unique reference; drafts that nobody uses may be left in the service.',
		'refused',
		status,
	);
}
