import type { ItemParameters } from '../../execution/itemParameters';
import type { ReadItem } from '../../execution/operation';
import { differentInvoiceText, keyOf, numberKeyOf, type Payment } from '../../ledger/ledger';
import { groupBy, indexBy, joinNames } from '../../shared/lists';
import { isSimilar, matchKeyOf } from '../../shared/references';
import { InputError } from '../../shared/errors';
import type { PayoutRequest } from './request';

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

	for (const sameNumber of groupBy(entries, ({ input }) => numberKeyOf(input.payment))) {
		for (const entry of sameNumber) {
			const { payment } = entry.input;
			const rivals = sameNumber.filter((other) => isConflict(payment, other.input.payment));
			const unreadAlike = unreadByReference.get(matchKeyOf(payment.reference)) ?? [];
			const items = [...rivals.map(({ item }) => item), ...unreadAlike];
			if (items.length === 0) {
				accepted.push(entry);
				continue;
			}
			const involved = sameNumber.filter((other) => other === entry || rivals.includes(other));
			const payments = involved.map(({ input }) => input.payment);
			reject(entry.item, conflictError(payments, [entry.item, ...items]));
		}
	}
	return accepted;
}

/** Whether two payments with the same or a similar number may be one invoice, and are not the same payment. */
function isConflict(one: Payment, other: Payment): boolean {
	const isToldApart = one.isDifferentInvoice === true || other.isDifferentInvoice === true;
	const isSamePayee = one.payee === other.payee;
	const isSameAmount = one.amount === other.amount;

	if (keyOf(one) !== keyOf(other)) {
		const isSimilarNumber = isSimilar(matchKeyOf(one.reference), matchKeyOf(other.reference));
		return isSimilarNumber && isSamePayee && isSameAmount && !isToldApart;
	}
	const isOtherVendors = !isSamePayee && (!isSameAmount || isToldApart);
	const isSame = isSamePayee && isSameAmount && one.reference === other.reference;
	return !isOtherVendors && !isSame;
}

function conflictError(payments: Payment[], items: ItemParameters[]): InputError {
	const names = [...new Set(payments.map(({ reference }) => `"${reference}"`))];
	const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
	const different = [...new Set(payments.map((payment) => `"${differentInvoiceText(payment)}"`))];
	const shared = names.length > 1 ? 'nearly the same reference' : 'one reference';
	return new InputError(
		`Items ${joinNames(indexes)} have ${shared}, ${names.join(' and ')}, so nothing was sent for them`,
		`Compare them with the invoices. "Get Many" shows whether one is paid already. Add up the lines of one invoice in one item. If they are different invoices, enter ${different.join(' and ')} as the option "Different Invoice", a line for each.`,
	);
}
