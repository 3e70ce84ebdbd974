import { equals, type Row } from '../table/rows';
import type { Step } from '../table/tableStore';
import type { PaymentRows } from './paymentRows';

/** The row that holds a payment with its payee and amount, if there is one. */
export const heldRowOf = ({ payment, rows }: PaymentRows): Row | undefined =>
	rows.find(
		(row) =>
			row.state === 'held' && row.payee === payment.payee && row.amount_cents === payment.amount,
	);

/** Writes down who agreed to a payment that is held again. Without an approver, the earlier one stays. */
export function approvalSteps(ofPayment: PaymentRows): Step[] {
	const { approvedBy } = ofPayment.payment;
	const held = heldRowOf(ofPayment);
	if (held === undefined || approvedBy === undefined || approvedBy === held.approved_by) {
		return [];
	}
	const unchanged = [equals('id', held.id), equals('state', 'held')];
	return [{ kind: 'update', all: unchanged, values: { approved_by: approvedBy } }];
}
