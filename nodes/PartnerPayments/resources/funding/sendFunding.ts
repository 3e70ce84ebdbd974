import type { Attempt, Entry, FundedState, Ledger, Payment, Rules } from '../../ledger/ledger';
import type { Client } from '../../api/client';
import { fundingRequest, type FundingCreate } from '../../api/endpoints';
import type { Identified } from '../../api/responseReaders';
import { outcomeOf, ServiceError } from '../../api/http/errors';

type FundingResult =
	{ funding: Identified; state: FundedState; attempt: Attempt } | { blocked: Entry[] };

/** A process that stopped for longer begins again: its attempt may soon count as unconfirmed. */
const MAX_BEGINNING_MS = 5 * 60_000;

/**
 * Sends the one request that moves money, once for its payments: a slot of the account's limit, an
 * attempt in the ledger, the request, its outcome in the ledger.
 *
 * @param payments each with its payable
 * @throws ServiceError when it is refused, or unconfirmed; LedgerError when the ledger cannot be used,
 *   and nothing was sent
 */
export async function sendFunding(
	client: Client,
	ledger: Ledger,
	payments: Payment[],
	body: FundingCreate,
	rules?: Rules,
): Promise<FundingResult> {
	if (new Set(payments.map(({ payableId }) => payableId)).size < payments.length)
		throw new ServiceError({
			message: 'The service gave several payouts the same payable, so none of them was funded',
			hint: 'Report it to the operator of the service. Then run it again with the same unique references.',
		});
	const request = fundingRequest(client, body);
	for (;;) {
		await request.acquireSlot();
		const begunAt = Date.now();
		const beginning = await ledger.begin(payments, rules).catch((error: unknown) => {
			request.releaseSlot();
			throw error;
		});
		if ('blocked' in beginning) {
			request.releaseSlot();
			return beginning;
		}
		const { attempt } = beginning;
		if (Date.now() - begunAt > MAX_BEGINNING_MS) {
			request.releaseSlot();
			await attempt.withdraw();
			continue;
		}
		const sent = await request.send().then(
			(funding) => ({ funding }),
			(error: unknown) => ({ error }),
		);
		if ('funding' in sent) {
			const state = body.method === 'invoice' ? 'awaiting_deposit' : 'funded';
			// If the ledger does not store that, the payments are unconfirmed later, never forgotten.
			await attempt.complete(state, String(sent.funding.id)).catch(() => undefined);
			return { funding: sent.funding, state, attempt };
		}
		const isOpen = outcomeOf(sent.error) !== 'unknown';
		await (isOpen ? attempt.withdraw() : attempt.leaveUnconfirmed()).catch(() => undefined);
		if (!isOpen || !(await request.waitToRetry())) throw sent.error;
	}
}
