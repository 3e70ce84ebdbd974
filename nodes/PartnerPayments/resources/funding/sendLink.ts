import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { linkDepositRequest, wrongIdsError } from '../../api/endpoints';
import { outcomeOf, ServiceError } from '../../api/http/errors';
import { captureResult, type RetryableRequest } from '../../api/http/retryableRequest';
import { NoLedgerError } from '../../ledger/findLedger';
import type { DepositLink, LinkOrder } from '../../ledger/protocol/depositLink';
import type { LedgerRecords } from '../../ledger/protocol/records';
import type { Row } from '../../ledger/table/rows';

/** A deposit that is linked. */
export interface LinkedDeposit {
	/** All that the service answers. */
	answer: IDataObject;
	/** Whether the ledger has it, if it knows the funding. */
	isRecorded: boolean;
}

/**
 * Links a deposit to a funding: marks the rows of the funding, sends the request, and writes the outcome into
 * the ledger. The numbers are those of docs/contributing/at-most-once.md. A funding that the ledger does not
 * know was made elsewhere, and is only sent.
 *
 * @throws InputError, LedgerError or ServiceError when it is not linked, or nobody knows
 */
export async function sendLink(
	client: Client,
	records: LedgerRecords,
	order: LinkOrder,
): Promise<LinkedDeposit> {
	const link = records.depositLink(order);
	const request = linkDepositRequest(client, order.fundingId, order.depositId);

	let answer: IDataObject;
	try {
		answer = await markAndSend(request, records, order, link);
	} catch (error) {
		if (hasLinkedNothing(error)) {
			await link.withdraw().catch(() => undefined);
		}
		throw explained(error, link);
	}

	const isRecorded = await link.complete().then(
		() => true,
		() => false,
	);
	return { answer, isRecorded };
}

/** Marks the rows and sends the request directly after that, each time in a slot of the account's limit. */
async function markAndSend(
	request: RetryableRequest<IDataObject>,
	records: LedgerRecords,
	order: LinkOrder,
	link: DepositLink,
): Promise<IDataObject> {
	for (;;) {
		const sent = await request.withSlot(async (send) => {
			const rows = await records
				.ofFunding(order.environment, order.fundingId)
				.catch(noneWithoutLedger);
			if (rows.length > 0) {
				// (10) to (12): only the run whose mark all rows have may send.
				await link.begin(rows);
			}

			// Do not await anything between the mark and this line.
			const sending = send();
			return await captureResult(sending);
		});
		if (sent.kind === 'succeeded') {
			return sent.value;
		}

		const mayRetry = await request.waitToRetry();
		if (!mayRetry) {
			throw sent.error;
		}
	}
}

/** A funding may be of a project that has no ledger. */
function noneWithoutLedger(error: unknown): Row[] {
	if (error instanceof NoLedgerError) {
		return [];
	}
	throw error;
}

const isMissing = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.status === 404;

/**
 * Whether the request has linked nothing. A 404 counts, since most likely nothing has one of the IDs: so a
 * mistyped ID can be corrected at once.
 */
const hasLinkedNothing = (error: unknown): boolean =>
	outcomeOf(error) !== 'unknown' || isMissing(error);

/** The error as a person needs it. */
function explained(error: unknown, { isRepeat }: DepositLink): unknown {
	const isRefused = outcomeOf(error) === 'refused' || isMissing(error);
	if (isRepeat && isRefused && error instanceof ServiceError) {
		return linkedBeforeError(error);
	}
	return isMissing(error) ? wrongIdsError(error) : error;
}

/** An earlier run has asked for the same. A refusal may mean that it is done. */
function linkedBeforeError(error: ServiceError): ServiceError {
	return new ServiceError({
		message: `Unconfirmed whether an earlier run linked the deposit: the service answered with status ${error.status}`,
		hint: 'After 20 minutes, look in the service at which funding has this deposit. This one: use "Resolve" of "Payout" as "Paid" with "Its Whole Funding". Another one, or none: resolve nothing, and ask the operator of the service.',
		outcome: 'unknown',
		failureKind: error.failureKind,
		status: error.status,
	});
}
