import { keyOf, type Payment } from '../ledger/ledger';
import { InputError } from '../shared/inputError';
import { groupBy, indexBy, listed } from '../shared/lists';
import { foldReference } from '../shared/reference';
import type { ItemParameters } from './itemParameters';

/**
 * Rejects all items of which several ask for different things under one reference, or write it with
 * different capitals or dashes, or of which one cannot be read. Were the first of them done, whoever then gives
 * all of them references of their own would have it done twice.
 *
 * @param unread items that could not be read
 * @returns the others
 */
export function rejectShared<Entry extends { item: ItemParameters; input: { payment: Payment } }>(
	entries: Entry[],
	unread: ItemParameters[],
	reject: (item: ItemParameters, error: InputError) => void,
): Entry[] {
	const unreadByReference = indexBy(unread, (item) => foldReference(item.writtenReference()));
	const rejected = new Set<Entry>();
	for (const alike of groupBy(entries, ({ input }) => keyOf(input.payment))) {
		const payments = alike.map(({ input }) => input.payment);
		const unreadAlike = unreadByReference.get(foldReference(payments[0]?.reference ?? '')) ?? [];
		const references = [...new Set(payments.map(({ reference }) => reference))];
		const areEqual = new Set(payments.map(({ payee, amount }) => `${amount} ${payee}`)).size === 1;
		if (references.length === 1 && areEqual && unreadAlike.length === 0) continue;
		const items = [...alike.map(({ item }) => item), ...unreadAlike];
		const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
		for (const entry of alike) {
			rejected.add(entry);
			reject(entry.item, sharedError(references, indexes, areEqual));
		}
	}
	return entries.filter((entry) => !rejected.has(entry));
}

function sharedError(references: string[], indexes: number[], areEqual: boolean): InputError {
	const names = references.map((reference) => `"${reference}"`);
	const fault =
		names.length > 1
			? `unique references that differ only in capitals or dashes, ${names.join(' and ')}`
			: `the same unique reference, ${names.join()}, and ${areEqual ? 'cannot all be used' : 'ask for different things'}`;
	return new InputError(
		`Items ${listed(indexes)} have ${fault}, so nothing was sent for any of them`,
		`If they are one payment, correct what differs. If not, give each its own reference, such as the number of its invoice: empty the field before you drag a value onto it. If an earlier run has used ${names.join(' or ')}, find out what was done under it, and leave that out: under another reference it is done twice.`,
	);
}
