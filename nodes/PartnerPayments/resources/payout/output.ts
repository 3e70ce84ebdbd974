import type { IDataObject } from 'n8n-workflow';

import { redactNamedInText } from '../../api/http/redact';
import type { Known, Release } from '../../ledger/ledger';
import type { Payment } from '../../ledger/payment';
import { shownState } from '../../ledger/protocol/rowStates';
import type { Row } from '../../ledger/table/rows';
import { ExplainedError } from '../../shared/errors';
import { formatDollars } from '../../shared/money';

export type PayoutStatus =
	| 'prepared'
	| 'funded'
	| 'awaiting_deposit'
	| 'duplicate'
	| 'held'
	| 'unconfirmed'
	/** Of a preview. */
	| 'would_pay'
	/** Of a preview. */
	| 'refused'
	/** Nothing was sent for it: safe to run again. */
	| 'not_sent'
	| 'failed';

/** What comes out of a payout. */
export interface PayoutOutput {
	status: PayoutStatus;
	/** Of a duplicate: how the payment that it repeats has ended. */
	firstStatus?: string | undefined;
	/** Why it was held, or refused in a preview. */
	reason?: string | undefined;
	/** What a person does about it if it was held, or refused in a preview. */
	hint?: string | undefined;
	/** How it can be paid if it was held. */
	release?: Release | undefined;
	uniqueReference: string;
	/** Undefined for an item that could not be read. */
	payment?: Pick<Payment, 'payee' | 'amount' | 'workspaceId' | 'invoiceDate'>;
	payableId?: string | undefined;
	/** Who agreed to it. */
	approvedBy?: string | undefined;
	known?: Known | undefined;
	/** Whether the ledger has the answer to its funding. */
	isRecorded?: boolean;
}

/** The item of a payout. Amounts are in cents, and in dollars as a text. */
export function payoutJson(output: PayoutOutput): IDataObject {
	const { status, firstStatus, reason, hint, release, uniqueReference, payment } = output;
	const json: IDataObject = { status };
	if (status === 'duplicate') {
		json.first_status = firstStatus ?? status;
	}
	if (reason !== undefined) {
		json.reason = reason;
	}
	if (hint !== undefined) {
		json.hint = hint;
	}
	if (release?.kind === 'ifDifferent') {
		json.different_invoice = release.lines.join('\n');
	}
	json.unique_reference = uniqueReference;
	if (payment !== undefined) {
		Object.assign(json, contentJson(payment));
	}
	return Object.assign(json, ledgerJson(output));
}

/** An error as a preview shows it: as a reason, and what to do, without named secrets that it may quote. */
export function reasonOf(error: unknown): { reason: string; hint: string | undefined } {
	if (error instanceof ExplainedError) {
		return { reason: redactNamedInText(error.message), hint: redactNamedInText(error.hint) };
	}

	const message = error instanceof Error ? error.message : String(error);
	return { reason: redactNamedInText(message), hint: undefined };
}

function ledgerJson(output: PayoutOutput): IDataObject {
	const { payableId, approvedBy, known, isRecorded = true } = output;
	const json: IDataObject = {
		payable_id: known?.payableId ?? payableId ?? null,
		funding_id: known?.fundingId ?? null,
	};
	if (approvedBy !== undefined) {
		json.approved_by = approvedBy;
	}
	if (known?.pdfUrl !== undefined) {
		json.pdf_url = known.pdfUrl;
	}
	if (!isRecorded) {
		json.recorded = false;
	}
	return json;
}

function contentJson(payment: NonNullable<PayoutOutput['payment']>): IDataObject {
	const { payee, amount, workspaceId, invoiceDate } = payment;
	const json: IDataObject = {
		payee,
		amount_usd: formatDollars(amount),
		amount_cents: amount,
	};
	if (invoiceDate !== undefined) {
		json.invoice_date = invoiceDate;
	}
	json.workspace_id = workspaceId;
	return json;
}

/** The item of a row of the ledger. */
export const recordOutput = (row: Row): IDataObject => ({
	status: shownState(row),
	unique_reference: row.reference,
	payee: row.payee,
	amount_usd: row.amount_cents === null ? null : formatDollars(row.amount_cents),
	amount_cents: row.amount_cents,
	invoice_date: row.invoice_date || null,
	payable_id: row.payable_id || null,
	funding_id: row.funding_id || null,
	deposit_id: row.deposit_id || null,
	approved_by: row.approved_by || null,
	...(row.pdf_url !== '' && { pdf_url: row.pdf_url }),
	paid_at: row.paid_at || null,
	workspace_id: row.workspace_id,
	environment: row.environment,
	execution: row.execution,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
});
