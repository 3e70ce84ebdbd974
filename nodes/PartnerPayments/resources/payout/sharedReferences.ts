import type { ItemParameters } from '../../execution/itemParameters';
import type { ReadItem } from '../../execution/operation';
import {
	compareNumbers,
	differentInvoiceText,
	isToldApart,
	keyOf,
	mayBeOneInvoice,
	numberKeyOf,
	type Payment,
} from '../../ledger/payment';
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
			const unreadAlike = unreadByReference.get(matchKeyOf(payment.reference)) ?? [];
			const rivals = sameNumber.filter((other) => mayBeOne(one, other, areToldApart(one, other)));

			if (unreadAlike.length > 0) {
				reject(entry.item, unreadError(entry, unreadAlike));
			} else if (rivals.length > 0) {
				reject(entry.item, conflictError(one, sameNumber, rivals));
			} else {
				accepted.push(entry);
			}
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

/** Whether a person has found that they are two invoices. */
const areToldApart = (one: KeyedEntry, other: KeyedEntry): boolean =>
	isToldApart(one.payment, other.payment) || isToldApart(other.payment, one.payment);

/** Whether two payments with the same or a similar number may be one invoice, and are not the same payment. */
function mayBeOne(one: KeyedEntry, other: KeyedEntry, areDifferent: boolean): boolean {
	const isSamePayee = one.payment.payee === other.payment.payee;
	const isSameAmount = one.payment.amount === other.payment.amount;
	const isSame = isSamePayee && isSameAmount && one.payment.reference === other.payment.reference;
	if (isSame) {
		return false;
	}
	const number = compareNumbers(one.key, other.key);
	return mayBeOneInvoice({ number, isSamePayee, isSameAmount, isToldApart: areDifferent });
}

/** The error for an item beside others that cannot be read, so that nothing is known of their payments. */
function unreadError(entry: ReadItem<PayoutRequest>, unreadAlike: ItemParameters[]): InputError {
	const { item, input } = entry;
	const written = unreadAlike.map((unread) => unread.writtenReference());
	const shared = sharedText([item, ...unreadAlike], [input.payment.reference, ...written]);
	return new InputError(
		`${shared}, and ${unreadAlike.length} cannot be read: nothing was sent for them`,
		'First correct each item that has an error of its own. Then run it again with the same unique references.',
	);
}

/** The error for an item that may be one invoice with its rivals. What cannot be told apart comes first. */
function conflictError(
	one: KeyedEntry,
	sameNumber: KeyedEntry[],
	rivals: KeyedEntry[],
): InputError {
	const inseparable = rivals.filter((other) => mayBeOne(one, other, true));
	const shown = inseparable.length > 0 ? inseparable : rivals;
	const involved = sameNumber.filter((other) => other === one || shown.includes(other));
	const shared = sharedText(
		involved.map(({ entry }) => entry.item),
		involved.map(({ payment }) => payment.reference),
	);

	if (inseparable.length > 0) {
		return new InputError(
			`${shared}, and one vendor: nothing was sent for them`,
			'Compare them with the invoices. One invoice twice: leave one out. Lines of one invoice: add them up in one item. Two invoices: give each its own number, as it stands on it. The option "Different Invoice" does not help here.',
		);
	}
	const texts = shown.map(({ payment }) => `"${differentInvoiceText(one.payment, payment)}"`);
	return new InputError(
		`${shared}, and may be one invoice: nothing was sent for them`,
		`Compare them with the invoices. "Get Many" shows whether one is paid already. One invoice: leave out all items but one. Different invoices: enter ${texts.join(' and ')} as the option "Different Invoice", a line for each.`,
	);
}

/** Says which items share what, as the beginning of a message. */
function sharedText(items: ItemParameters[], references: string[]): string {
	const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
	const names = [...new Set(references.map((reference) => `"${reference}"`))];
	const shared = names.length > 1 ? 'nearly the same reference' : 'one reference';
	return `Items ${joinNames(indexes)} have ${shared}, ${names.join(' and ')}`;
}
