import type { ItemParameters } from '../../execution/itemParameters';
import type { ReadItem } from '../../execution/operation';
import { keyOf, type Payment } from '../../ledger/ledger';
import { groupBy, indexBy, joinNames } from '../../shared/lists';
import { matchKeyOf } from '../../shared/references';
import { InputError } from '../../shared/errors';
import { paymentNameOf, type PayoutRequest } from './request';

/**
 * Rejects items that may be one invoice and differ, and items beside one that cannot be read. If the first
 * were paid, it would be paid again when the user corrects the other one.
 */
export function rejectConflicts(
	entries: Array<ReadItem<PayoutRequest>>,
	unread: ItemParameters[],
	reject: (item: ItemParameters, error: InputError) => void,
): Array<ReadItem<PayoutRequest>> {
	const unreadByReference = indexBy(unread, (item) => matchKeyOf(item.writtenReference()));
	const accepted: Array<ReadItem<PayoutRequest>> = [];

	for (const sameKey of groupBy(entries, ({ input }) => keyOf(input.payment))) {
		const { reference } = sameKey[0].input.payment;
		const unreadAlike = unreadByReference.get(matchKeyOf(reference)) ?? [];
		for (const entry of sameKey) {
			const rivals = sameKey.filter((other) =>
				isConflict(entry.input.payment, other.input.payment),
			);
			const items = [...rivals.map(({ item }) => item), ...unreadAlike];
			if (items.length === 0) {
				accepted.push(entry);
				continue;
			}
			const involved = sameKey.filter((other) => other === entry || rivals.includes(other));
			const payments = involved.map(({ input }) => input.payment);
			reject(entry.item, conflictError(payments, [entry.item, ...items]));
		}
	}
	return accepted;
}

/** Whether two payments with the same key may be one invoice, and are not the same payment. */
function isConflict(one: Payment, other: Payment): boolean {
	const isToldApart = one.isOfOtherVendor === true || other.isOfOtherVendor === true;
	const isOtherVendors = one.payee !== other.payee && (one.amount !== other.amount || isToldApart);
	const isSame = paymentNameOf(one) === paymentNameOf(other) && one.reference === other.reference;
	return !isOtherVendors && !isSame;
}

function conflictError(payments: Payment[], items: ItemParameters[]): InputError {
	const names = [...new Set(payments.map(({ reference }) => `"${reference}"`))];
	const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
	const shared = names.length > 1 ? 'spellings of one reference' : 'one reference';
	return new InputError(
		`Items ${joinNames(indexes)} have ${shared}, ${names.join(' and ')}, so nothing was sent for them`,
		'Compare them with the invoices, and correct what differs. Add up the lines of one invoice in one item. Invoices of several vendors with one number and amount: send each alone with the option "Other Vendor\'s Invoice".',
	);
}
