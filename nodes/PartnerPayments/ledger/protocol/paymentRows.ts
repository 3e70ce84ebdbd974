import { indexBy } from '../../shared/lists';
import { keyOf, type Payment } from '../ledger';
import { equals, type Condition, type Row } from '../table/rows';
import { isLive, rowsOf } from './judge';

/** The conditions of the rows that may concern payments: by their keys, and by their payables. */
export function conditionsFor(payments: Payment[]): Condition[] {
	const conditions: Condition[] = [];
	for (const payment of payments) {
		if (payment.reference !== '') {
			conditions.push(equals('key', keyOf(payment)));
		}
		if (payment.payableId !== undefined) {
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
	const byKey = indexBy(rows, ({ key }) => key);
	const byPayable = indexBy(rows, (row) => row.payable_id);
	return payments.map((payment) => {
		const ofKey = byKey.get(keyOf(payment)) ?? [];
		const ofPayable = byPayable.get(payment.payableId ?? '') ?? [];
		const own = rowsOf(payment, [...new Set([...ofKey, ...ofPayable])], environment);
		const ofEarlierPayables = own.flatMap((row) =>
			row.payable_id === '' ? [] : (byPayable.get(row.payable_id) ?? []).filter(isFundedById),
		);
		return [...new Set([...own, ...ofEarlierPayables])];
	});
}

/** Whether a row is of a payable that is funded by its ID. */
const isFundedById = ({ reference }: Row): boolean => reference === '';
