import type { ItemParameters } from '../../execution/itemParameters';
import type { ItemResult } from '../../execution/operation';
import type { Entry as LedgerEntry, FundedState, Payment } from '../../ledger/ledger';
import { ServiceError } from '../../api/http/errors';
import { inMajorUnits } from '../../shared/money';
import type { PayoutRequest } from './request';

type PayoutStatus =
	| 'prepared'
	| 'funded'
	| 'awaiting_deposit'
	| 'duplicate'
	| 'held'
	| 'unconfirmed'
	/** At first, and at last in a preview. */
	| 'would_pay'
	/** Of a preview. */
	| 'refused'
	/** Nothing was sent for it: safe to run again. */
	| 'not_sent'
	| 'failed';

interface Ending {
	status: PayoutStatus;
	error?: unknown;
	reason?: string | undefined;
}

/** One payout in progress: its request, what is known, and how it ended. */
export class Payout {
	/** IDs, and the state of an earlier run. */
	known: Omit<LedgerEntry, 'status' | 'error' | 'reason'> = {};

	isNewlyPrepared = false;

	private ending: Ending = { status: 'would_pay' };

	constructor(
		readonly request: PayoutRequest,
		readonly item: ItemParameters,
	) {}

	get status(): PayoutStatus {
		return this.ending.status;
	}

	get hasEnded(): boolean {
		return this.status !== 'would_pay';
	}

	/** Whether the ledger keeps its payable for a later run. */
	get isToBeKept(): boolean {
		return this.isNewlyPrepared && (this.status === 'failed' || this.status === 'not_sent');
	}

	get payment(): Payment {
		return { ...this.request.payment, payableId: this.known.payableId };
	}

	/** Continues where an earlier run has stopped, or ends as the ledger says. */
	resume({ status, error, reason, ...known }: LedgerEntry): void {
		// Its own payable is ready, and no other run uses it.
		if (status === 'busy' && error !== undefined) {
			this.end('not_sent', error);
			return;
		}
		if (status === 'held') {
			this.end(status, undefined, reason);
			return;
		}
		this.known = known;
		this.isNewlyPrepared = false;
		if (status === 'refused') this.end('failed', error);
		if (status === 'done') this.end('duplicate');
		if (status === 'unconfirmed') this.endUnconfirmed(reasonOf(known.state));
		if (status === 'busy') {
			// The other run may pay its payable.
			this.known = {};
			this.endNotSent('another execution works on it');
		}
		if (status === 'prepared' && this.request.method === 'none') this.end('duplicate');
	}

	endFunded(state: FundedState, fundingId: string, pdfUrl: string | undefined): void {
		this.known = { ...this.known, state, fundingId, ...(pdfUrl !== undefined && { pdfUrl }) };
		this.end(state);
	}

	end(status: PayoutStatus, error?: unknown, reason?: string): void {
		this.ending = { status, error, reason };
	}

	/** @param reason the rest of a sentence */
	endNotSent(reason: string): void {
		this.end(
			'not_sent',
			new ServiceError({
				message: `Nothing was sent for this payout: ${reason}`,
				hint: `Run it again later with the same unique reference, "${this.payment.reference}". It is paid once.`,
			}),
		);
	}

	/** @param what the rest of a sentence */
	endUnconfirmed(what: string): void {
		this.end(
			'unconfirmed',
			new ServiceError({
				message: `Unconfirmed, so it is not paid again: ${what}`,
				hint: `Never pay it under another reference. 1. Search the service's fundings for [${this.payment.reference}]. 2. Found: resolve it as "Paid". 3. Not found: ask the operator before you resolve it as "Not Paid".`,
				outcome: 'unknown',
			}),
		);
	}

	/** Ends as the payout did that has the same reference. */
	endLike(first: Payout): void {
		const { status, error, reason } = first.ending;
		this.known = { state: status, ...first.known };
		this.ending = first.ending;
		if (error === undefined && reason === undefined) this.end('duplicate');
	}

	/** Ends as in a preview: with a reason instead of an error. */
	endPreview(): void {
		const { error } = this.ending;
		if (error instanceof Error) this.end('refused', undefined, error.message);
	}

	result(): ItemResult {
		const { payment } = this.request;
		const { status, error, reason } = this.ending;
		const { state = status, payableId = null, fundingId = null, pdfUrl } = this.known;
		const json = {
			status,
			...(status === 'duplicate' && { first_status: state }),
			...(reason !== undefined && { reason }),
			unique_reference: payment.reference,
			payee: payment.payee,
			amount_cents: payment.amount,
			amount_usd: inMajorUnits(payment.amount),
			payable_id: payableId,
			funding_id: fundingId,
			...(pdfUrl !== undefined && { pdf_url: pdfUrl }),
		};
		return { item: this.item, output: { json }, ...(error !== undefined && { error }) };
	}
}

function reasonOf(state = ''): string {
	return state === 'unconfirmed' || state === 'sending'
		? 'an earlier run may have sent its funding, and no answer is known'
		: `the ledger table has an unknown state for it, "${state}"`;
}
