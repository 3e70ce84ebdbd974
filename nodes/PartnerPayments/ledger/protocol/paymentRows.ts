import { indexBy } from '../../shared/lists';
import { keyOf, type Payment } from '../ledger';
import { equals, type Condition, type Row } from '../table/rows';
import { rowsOf } from './judge';

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

/** The rows that concern each payment, in the order of the payments. */
export function rowsByPayment(payments: Payment[], rows: Row[], environment: string): Row[][] {
	const byKey = indexBy(rows, ({ key }) => key);
	const byPayable = indexBy(rows, (row) => row.payable_id);
	return payments.map((payment) => {
		const ofKey = byKey.get(keyOf(payment)) ?? [];
		const ofPayable = byPayable.get(payment.payableId ?? '') ?? [];
		return rowsOf(payment, [...new Set([...ofKey, ...ofPayable])], environment);
	});
}
