import type { ItemParameters } from '../../execution/itemParameters';
import type { ReadItem } from '../../execution/operation';
import {
	differentInvoiceText,
	isToldApart,
	keyOf,
	mayBeOneInvoice,
	numberKeyOf,
	type Comparison,
	type Payment,
} from '../../ledger/payment';
import { groupBy, indexBy, joinNames } from '../../shared/lists';
import { matchKeyOf } from '../../shared/references';
import { InputError } from '../../shared/errors';
import type { PayoutRequest } from './request';

/**
 * Rejects items that may be one invoice although they differ, and items beside one that cannot be read. If the
 * first were paid, it would be paid again when the user corrects the other one.
 */
export function rejectPossibleDuplicates(
	entries: Array<ReadItem<PayoutRequest>>,
	unread: ItemParameters[],
	reject: (item: ItemParameters, error: InputError) => void,
): Array<ReadItem<PayoutRequest>> {
	const unreadByReference = indexBy(unread, (item) => matchKeyOf(item.referenceOrEmpty()));
	const rejected = new Set<ReadItem<PayoutRequest>>();
	// Each is compared with all that share its number, which can be thousands.
	const keyed = entries.map((entry): KeyedEntry => {
		const { payment } = entry.input;
		return { entry, payment, key: keyOf(payment) };
	});

	for (const sameNumber of groupBy(keyed, ({ payment }) => numberKeyOf(payment))) {
		for (const one of sameNumber) {
			const { entry, payment } = one;
			const unreadAlike = unreadByReference.get(matchKeyOf(payment.reference)) ?? [];
			const duplicates = sameNumber.filter((other) => mayBeOne(one, other));

			if (unreadAlike.length > 0) {
				rejected.add(entry);
				reject(entry.item, unreadError(entry, unreadAlike));
			} else if (duplicates.length > 0) {
				rejected.add(entry);
				reject(entry.item, duplicatesError(one, sameNumber, duplicates));
			}
		}
	}
	return entries.filter((entry) => !rejected.has(entry));
}

interface KeyedEntry {
	entry: ReadItem<PayoutRequest>;
	payment: Payment;
	/** As from `keyOf`. */
	key: string;
}

/** Whether two payments may be one invoice, and are not the same payment. */
function mayBeOne(one: KeyedEntry, other: KeyedEntry): boolean {
	const comparison = compare(one, other);
	const isSameReference = one.payment.reference === other.payment.reference;
	if (isSameReference && comparison.isSamePayee && comparison.isSameAmount) {
		return false;
	}
	return mayBeOneInvoice({ ...comparison, isToldApart: () => areToldApart(one, other) });
}

/** Whether two payments that may be one invoice stay that, whatever a person enters as "Different Invoice". */
const cannotBeToldApart = (one: KeyedEntry, other: KeyedEntry): boolean =>
	mayBeOneInvoice({ ...compare(one, other), isToldApart: () => true });

const compare = (one: KeyedEntry, other: KeyedEntry): Omit<Comparison, 'isToldApart'> => ({
	keys: [one.key, other.key],
	isSamePayee: one.payment.payee === other.payment.payee,
	isSameAmount: one.payment.amount === other.payment.amount,
});

/** Whether a person has found that they are two invoices. */
const areToldApart = (one: KeyedEntry, other: KeyedEntry): boolean =>
	isToldApart(one.payment, other.payment) || isToldApart(other.payment, one.payment);

/** The error for an item beside others that cannot be read, so that nothing is known of their payments. */
function unreadError(entry: ReadItem<PayoutRequest>, unreadAlike: ItemParameters[]): InputError {
	const { item, input } = entry;
	const unreadReferences = unreadAlike.map((unread) => unread.referenceOrEmpty());
	const references = [input.payment.reference, ...unreadReferences];
	const shared = sharedText([item, ...unreadAlike], references);
	return new InputError(
		`${shared}, and ${unreadAlike.length} cannot be read: nothing was sent for them`,
		'First correct each item that has an error of its own. Then run it again with the same unique references.',
	);
}

/** The error for an item that may be one invoice with others. Those that it cannot be told apart from come first. */
function duplicatesError(
	one: KeyedEntry,
	sameNumber: KeyedEntry[],
	duplicates: KeyedEntry[],
): InputError {
	const inseparable = duplicates.filter((other) => cannotBeToldApart(one, other));
	const shown = inseparable.length > 0 ? inseparable : duplicates;
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
	const lines = shown.map(({ payment }) => `"${differentInvoiceText(one.payment, payment)}"`);
	const texts = [...new Set(lines)];
	const what = texts.length === 1 ? 'the line' : 'the lines';
	return new InputError(
		`${shared}, and may be one invoice: nothing was sent for them`,
		`Compare them with the invoices. "Get Many" shows whether one is paid already. One invoice: leave out all items but one. Different invoices: add ${what} ${texts.join(' and ')} to the option "Different Invoice" of each of these items.`,
	);
}

/** Says which items share what, as the beginning of a message. */
function sharedText(items: ItemParameters[], references: string[]): string {
	const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
	const names = [...new Set(references.map((reference) => `"${reference}"`))];
	const shared = names.length > 1 ? 'nearly the same reference' : 'one reference';
	return `Items ${joinNames(indexes)} have ${shared}, ${names.join(' and ')}`;
}
