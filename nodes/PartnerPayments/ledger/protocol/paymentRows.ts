import { indexBy } from '../../shared/lists';
import { keyOf, numberKeyOf, type Payment } from '../payment';
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
		const own = new Set(rowsOf(payment, [...candidates], environment));

		const all = new Set(own);
		for (const row of own) {
			for (const other of fundedById(row, byPayable)) {
				all.add(other);
			}
		}

		const key = keyOf(payment);
		const besides = withNumber.filter((row) => row.key === key && !own.has(row));
		return { payment, rows: [...all], besides };
	});
}

/** The rows of somebody who funds the payable of a reference's row by its ID. */
function fundedById(row: Row, byPayable: ReadonlyMap<string, Row[]>): Row[] {
	if (row.payable_id === '' || isFundedById(row)) {
		return [];
	}
	return (byPayable.get(row.payable_id) ?? []).filter(isFundedById);
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
