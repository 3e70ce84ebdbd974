import { indexBy } from '../../shared/lists';
import { keyOf, numberKeyOf, type Payment } from '../ledger';
import { equals, type Condition, type Row } from '../table/rows';
import { isLive, rowsOf } from './classifyRows';

/**
 * The conditions of the rows that may concern payments: by their invoice numbers, and by their payables.
 *
 * @param isFirst whether the first row of a payment's payable is one of this run: by (0) of
 *   docs/contributing/at-most-once.md, no one else has it or funds it by its ID then
 */
export function conditionsFor(
	payments: Payment[],
	isFirst: (payment: Payment) => boolean,
): Condition[] {
	const conditions: Condition[] = [];
	for (const payment of payments) {
		if (payment.reference !== '') {
			conditions.push(equals('number_key', numberKeyOf(payment)));
		}
		if (payment.payableId !== undefined && !isFirst(payment)) {
			conditions.push(equals('payable_id', payment.payableId));
		}
	}
	return conditions;
}

/** A payment, and the rows that concern it. */
export interface PaymentRows {
	payment: Payment;
	rows: Row[];
	/** The rows of other vendors' invoices with its reference. */
	besides: Row[];
}

/** Finds the rows that concern each payment among those that were read. */
export function assignRows(payments: Payment[], rows: Row[], environment: string): PaymentRows[] {
	const byNumber = indexBy(rows, (row) => row.number_key);
	const byPayable = indexBy(rows, (row) => row.payable_id);

	return payments.map((payment) => {
		const key = keyOf(payment);
		const ofNumber = byNumber.get(numberKeyOf(payment)) ?? [];
		const ofPayable = byPayable.get(payment.payableId ?? '') ?? [];
		const own = rowsOf(payment, [...new Set([...ofNumber, ...ofPayable])], environment);

		const earlier = own.filter((row) => !isFundedById(row) && row.payable_id !== '');
		const ofEarlierPayables = earlier.flatMap((row) =>
			(byPayable.get(row.payable_id) ?? []).filter(isFundedById),
		);
		const rows = [...new Set([...own, ...ofEarlierPayables])];
		const ofOwn = new Set(own);
		const besides = ofNumber.filter((row) => row.key === key && !ofOwn.has(row));
		return { payment, rows, besides };
	});
}

/**
 * The payables that payments had earlier, where nothing blocks them yet. A person may have approved one of
 * them in the service, and a workflow funded it by its ID: then the invoice is paid.
 */
export function earlierPayables(payments: Payment[], rows: Row[], environment: string): string[] {
	const open = assignRows(payments, rows, environment).filter(
		(ofPayment) => !ofPayment.rows.some(isLive),
	);
	const earlier = open.flatMap((ofPayment) => ofPayment.rows.map((row) => row.payable_id));

	const payables = new Set(earlier);
	payables.delete('');
	for (const { payableId = '' } of payments) {
		payables.delete(payableId);
	}
	return [...payables];
}

/** Whether a row is of a payable that is funded by its ID. */
const isFundedById = ({ reference }: Row): boolean => reference === '';
