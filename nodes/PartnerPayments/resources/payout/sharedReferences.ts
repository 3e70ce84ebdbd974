import type { ItemParameters } from '../../execution/itemParameters';
import type { ReadItem } from '../../execution/operation';
import {
	compareNumbers,
	differentInvoiceText,
	keyOf,
	mayBeOneInvoice,
	numberKeyOf,
	type Payment,
} from '../../ledger/ledger';
import { groupBy, indexBy, joinNames } from '../../shared/lists';
import { matchKeyOf } from '../../shared/references';
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
	// Each is compared with all that share its number, which can be thousands.
	const keyed = entries.map((entry): KeyedEntry => {
		const { payment } = entry.input;
		return { entry, payment, key: keyOf(payment) };
	});

	for (const sameNumber of groupBy(keyed, ({ payment }) => numberKeyOf(payment))) {
		for (const one of sameNumber) {
			const { entry, payment } = one;
			const rivals = sameNumber.filter((other) => isConflict(one, other));
			const unreadAlike = unreadByReference.get(matchKeyOf(payment.reference)) ?? [];
			const items = [...rivals.map((other) => other.entry.item), ...unreadAlike];
			if (items.length === 0) {
				accepted.push(entry);
				continue;
			}
			const involved = sameNumber.filter((other) => other === one || rivals.includes(other));
			const payments = involved.map((other) => other.payment);
			reject(entry.item, conflictError(payments, [entry.item, ...items]));
		}
	}
	return accepted;
}

interface KeyedEntry {
	entry: ReadItem<PayoutRequest>;
	payment: Payment;
	/** As from `keyOf`. */
	key: string;
}

/** Whether two payments with the same or a similar number may be one invoice, and are not the same payment. */
function isConflict(one: KeyedEntry, other: KeyedEntry): boolean {
	const isToldApart =
		one.payment.isDifferentInvoice === true || other.payment.isDifferentInvoice === true;
	const isSamePayee = one.payment.payee === other.payment.payee;
	const isSameAmount = one.payment.amount === other.payment.amount;
	const isSame = isSamePayee && isSameAmount && one.payment.reference === other.payment.reference;
	if (isSame) {
		return false;
	}
	const number = compareNumbers(one.key, other.key);
	return mayBeOneInvoice({ number, isSamePayee, isSameAmount, isToldApart });
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
