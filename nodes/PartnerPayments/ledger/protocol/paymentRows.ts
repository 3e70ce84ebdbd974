import { indexBy } from '../../shared/lists';
import { isFundedById, keyOf, numberKeyOf, type Payment } from '../payment';
import type { Row } from '../table/rows';
import { rowsOf } from './classifyRows';
import { isLive } from './rowStates';

/** A payment, and the rows that concern it. */
export interface PaymentRows {
	payment: Payment;
	rows: Row[];
	/** The rows of other vendors' invoices with its reference. */
	besides: Row[];
}

/**
 * Finds the rows that concern each payment among those that were read. Say INV-1 had the payable pay-1 in an
 * earlier run: then its rows are those of INV-1, those of pay-1, and the row of somebody who funds pay-1 by
 * its ID.
 */
export function assignRows(payments: Payment[], rows: Row[], environment: string): PaymentRows[] {
	const byNumber = indexBy(rows, (row) => row.number_key);
	const byPayable = indexBy(rows, (row) => row.payable_id);

	return payments.map((payment) => {
		const withNumber = byNumber.get(numberKeyOf(payment)) ?? [];
		const withPayable = byPayable.get(payment.payableId ?? '') ?? [];
		const candidates = new Set([...withNumber, ...withPayable]);
		const matching = new Set(rowsOf(payment, [...candidates], environment));

		const all = new Set(matching);
		for (const row of matching) {
			for (const byId of fundedById(row, byPayable)) {
				all.add(byId);
			}
		}

		const key = keyOf(payment);
		const besides = withNumber.filter((row) => row.key === key && !matching.has(row));
		return { payment, rows: [...all], besides };
	});
}

/** Where Funding: Create funds the payable of a row by its ID: the rows for that. They always have a payable. */
const fundedById = (row: Row, byPayable: ReadonlyMap<string, Row[]>): Row[] =>
	(byPayable.get(row.payable_id) ?? []).filter(isFundedById);

/**
 * The payables that payments had earlier, where nothing blocks them yet. A person may have approved one of
 * them in the service, and a workflow funded it by its ID: then the invoice is paid.
 */
export function earlierPayables(payments: Payment[], rows: Row[], environment: string): string[] {
	const unblocked = assignRows(payments, rows, environment).filter(
		(ofPayment) => !ofPayment.rows.some(isLive),
	);
	const earlier = unblocked.flatMap((ofPayment) => ofPayment.rows.map((row) => row.payable_id));

	const payables = new Set(earlier);
	payables.delete('');
	for (const { payableId = '' } of payments) {
		payables.delete(payableId);
	}
	return [...payables];
}
