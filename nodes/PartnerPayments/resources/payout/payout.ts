import type { ItemParameters } from '../../execution/itemParameters';
import type { ItemResult } from '../../execution/operation';
import type { Entry as LedgerEntry, FundedState, Payment } from '../../ledger/ledger';
import { ServiceError } from '../../api/http/errors';
import { DENOMINATION, inMajorUnits } from '../../shared/money';
import type { PayoutRequest } from './request';

type PayoutStatus =
	| 'prepared'
	| 'funded'
	| 'awaiting_deposit'
	| 'duplicate'
	| 'held'
	| 'unconfirmed'
	/** Of a preview. */
	| 'would_pay'
	| 'refused'
	/** No funding was sent for it: running it again does no harm. */
	| 'not_sent'
	| 'failed';

const PAID = ['funded', 'awaiting_deposit', 'paid'];

/** One payout in progress: what was asked for, what is known of it, and how it ended. */
export class Payout {
	/** What is known of it: IDs, and the state of an earlier run. */
	known: Omit<LedgerEntry, 'status' | 'error' | 'reason'> = {};

	isNewlyPrepared = false;

	private ending: { status: PayoutStatus; error?: unknown; reason?: string } | undefined;

	constructor(
		readonly request: PayoutRequest,
		readonly item: ItemParameters,
	) {}

	get hasEnded(): boolean {
		return this.ending !== undefined;
	}

	/** Whether the ledger is to keep its payable for a later run. */
	get isToBeKept(): boolean {
		const { status = 'failed' } = this.ending ?? {};
		return this.isNewlyPrepared && (status === 'failed' || status === 'not_sent');
	}

	get isPaid(): boolean {
		return PAID.includes(this.known.state ?? '');
	}

	get payment(): Payment {
		return { ...this.request.payment, payableId: this.known.payableId };
	}

	/** Continues where an earlier run has stopped, or ends as the ledger says. */
	resume({ status, error, reason, ...known }: LedgerEntry): void {
		// Its own payable is ready, and no other run has it.
		if (status === 'busy' && error !== undefined) {
			this.end('not_sent', error);
			return;
		}
		if (status === 'held') {
			this.ending = { status, ...(reason !== undefined && { reason }) };
			return;
		}
		this.known = known;
		this.isNewlyPrepared = false;
		if (status === 'refused') this.end('failed', error);
		if (status === 'done') this.end('duplicate');
		if (status === 'unconfirmed') this.endUnconfirmed(reasonOf(known.state));
		if (status === 'busy') {
			// What was prepared for it may be paid by another run.
			this.known = {};
			this.endNotSent('another execution works on it');
		}
		if (status === 'prepared' && this.request.method === 'none') this.end('duplicate');
	}

	endFunded(state: FundedState, fundingId: string, pdfUrl: string | undefined): void {
		this.known = { ...this.known, state, fundingId, ...(pdfUrl !== undefined && { pdfUrl }) };
		this.end(state);
	}

	/** @param error why it could not be done, or what is not known */
	end(status: PayoutStatus, error?: unknown): void {
		this.ending = { status, error };
	}

	/** @param reason why the run sent no funding for it, as the rest of a sentence */
	endNotSent(reason: string): void {
		const { reference } = this.request.payment;
		this.end(
			'not_sent',
			new ServiceError({
				message: `This run sent no payment for it: ${reason}`,
				hint: `Run it again later with the same unique reference, "${reference}": it is paid once.`,
			}),
		);
	}

	/** @param what why nobody knows whether it was paid, as the rest of a sentence */
	endUnconfirmed(what: string): void {
		const { reference } = this.request.payment;
		this.end(
			'unconfirmed',
			new ServiceError({
				message: `Unconfirmed whether it was paid, so it is not paid again: ${what}`,
				hint: `1. Search the service for a funding with [${reference}] in its description. A payable can look unpaid although it was funded. 2. Found: resolve it as "Paid". 3. Not found: ask the operator of the service before you resolve it as "Not Paid". What was sent before there was a ledger table cannot be resolved: a person finishes it in the service.`,
				outcome: 'unknown',
			}),
		);
	}

	/** Ends as the payout did that has the same reference. */
	endLike(first: Payout): void {
		const { status = 'failed', error } = first.ending ?? {};
		this.known = { state: status, ...first.known };
		if (status === 'held') this.ending = first.ending;
		else this.end(error === undefined ? 'duplicate' : status, error);
	}

	/** Ends as a preview shows it: without an error, and with the reason instead. */
	endPreview(): void {
		const { status = 'would_pay', error, reason } = this.ending ?? {};
		if (error instanceof Error) this.ending = { status: 'refused', reason: error.message };
		else this.ending = { status, ...(reason !== undefined && { reason }) };
	}

	get status(): PayoutStatus {
		return this.ending?.status ?? 'failed';
	}

	/** The item that comes out: its status, and all that is known. */
	result(): ItemResult {
		const { payment } = this.request;
		const { status, error, reason }: NonNullable<typeof this.ending> = this.ending ?? {
			status: 'failed',
		};
		const { state = status, payableId = null, fundingId = null, pdfUrl } = this.known;
		const json = {
			status,
			...(status === 'duplicate' && { first_status: state }),
			...(reason !== undefined && { reason }),
			unique_reference: payment.reference,
			payee: payment.payee,
			amount: payment.amount,
			amount_denomination: DENOMINATION,
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
		? 'an earlier run sent its funding, or was about to, and no answer is known'
		: `its state in the ledger table, "${state}", is not one of the ledger's`;
}
