import { indexBy } from '../../shared/lists';
import { keyOf, numberKeyOf, type Payment } from '../ledger';
import { equals, type Condition, type Row } from '../table/rows';
import { isLive, rowsOf } from './judge';

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

/**
 * The payables that payments had earlier, where nothing blocks them yet. A person may have approved one of
 * them in the service, and a workflow funded it by its ID: then the invoice is paid.
 */
export function earlierPayables(payments: Payment[], rows: Row[], environment: string): string[] {
	const found = rowsByPayment(payments, rows, environment);
	const payables = new Set<string>();
	for (const ofPayment of found) {
		if (ofPayment.some(isLive)) {
			continue;
		}
		for (const { payable_id: payableId } of ofPayment) {
			payables.add(payableId);
		}
	}
	payables.delete('');
	for (const { payableId = '' } of payments) {
		payables.delete(payableId);
	}
	return [...payables];
}

/** The rows that concern each payment, in the order of the payments. */
export function rowsByPayment(payments: Payment[], rows: Row[], environment: string): Row[][] {
	const byNumber = indexBy(rows, (row) => row.number_key);
	const byPayable = indexBy(rows, (row) => row.payable_id);
	return payments.map((payment) => {
		const ofNumber = byNumber.get(numberKeyOf(payment)) ?? [];
		const ofPayable = byPayable.get(payment.payableId ?? '') ?? [];
		const own = rowsOf(payment, [...new Set([...ofNumber, ...ofPayable])], environment);
		const earlier = own.filter((row) => row.key === keyOf(payment) && row.payable_id !== '');
		const ofEarlierPayables = earlier.flatMap((row) =>
			(byPayable.get(row.payable_id) ?? []).filter(isFundedById),
		);
		return [...new Set([...own, ...ofEarlierPayables])];
	});
}

/** Whether a row is of a payable that is funded by its ID. */
const isFundedById = ({ reference }: Row): boolean => reference === '';
