import { keyOf, type Payment } from '../payment';
import type { Row } from '../table/rows';
import { isLive, isSending } from './classifyRows';
import type { PaymentRows } from './paymentRows';

/*
 * What a run sees between its mark and its funding: its own rows, and those of others. The numbers are those
 * of docs/contributing/at-most-once.md.
 */

/**
 * Whether a row can be in the way of a beginning. What others prepare for the same reference cannot, since
 * they begin themselves; but a payable that belongs to a reference is never funded by its ID.
 */
export const blocksClaim = ({ reference }: Payment, { state }: Row): boolean =>
	state !== 'preparing' || reference === '';

/** Whether the row of this run is there, for the payment with its payable. */
export const hasOwnRow = ({ payment, rows }: PaymentRows, claimId: string): boolean =>
	rows.some(
		(row) =>
			row.claim === claimId && row.key === keyOf(payment) && row.payable_id === payment.payableId,
	);

/** The rows of others that can be in the way of a claim. */
export const withoutOwn = (found: PaymentRows[], claimId: string): PaymentRows[] =>
	found.map((ofPayment) => ({
		...ofPayment,
		rows: ofPayment.rows.filter(
			(row) => row.claim !== claimId && blocksClaim(ofPayment.payment, row),
		),
	}));

/**
 * (3) The rows that keep a claim from sending: its own rows that a person or an event has changed since the
 * mark, and the rows of others that block their payment.
 */
export function rivalsOf(found: PaymentRows[], claimId: string): Row[] {
	const rivals: Row[] = [];
	for (const { rows } of found) {
		for (const row of rows) {
			const isOwn = row.claim === claimId;
			const isRival = isOwn ? row.state !== 'sending' : isLive(row);
			if (isRival) {
				rivals.push(row);
			}
		}
	}
	return rivals;
}

/** Whether a claim has the first of the rows that are being sent, by their ID. */
export function isFirstToSend(rows: Row[], claimId: string): boolean {
	const [first] = rows.filter(isSending).sort((one, other) => one.id - other.id);
	return first === undefined || first.claim === claimId;
}
