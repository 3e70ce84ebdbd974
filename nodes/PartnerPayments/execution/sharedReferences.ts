import type { Claim } from '../ledger/ledger';
import { InputError } from '../shared/inputError';
import { groupBy, indexBy, listed } from '../shared/lists';
import type { ItemParameters } from './itemParameters';

/** What tells the references of a run apart. */
export const referenceKey = ({ workspaceId, reference }: Claim): string =>
	JSON.stringify([workspaceId, reference]);

/**
 * Rejects all items of which several ask for different things under one reference, or of which one
 * cannot be read. Were the first of them done, whoever then gives all of them references of their own
 * would have it done twice.
 *
 * @param unread items that could not be read
 * @param claimOf what the reference of an item stands for; undefined for an item without one
 * @returns the others
 */
export function rejectShared<Entry extends { item: ItemParameters; input: unknown }>(
	entries: Entry[],
	unread: ItemParameters[],
	claimOf: (input: Entry['input']) => Claim | undefined,
	reject: (item: ItemParameters, error: InputError) => void,
): Entry[] {
	const claimed = entries.flatMap((entry) => {
		const claim = claimOf(entry.input);
		return claim === undefined ? [] : [{ entry, claim }];
	});
	const unreadByReference = indexBy(unread, (item) => item.writtenReference());
	const rejected = new Set<Entry>();
	for (const alike of groupBy(claimed, ({ claim }) => referenceKey(claim))) {
		const unreadAlike = unreadByReference.get(alike[0]?.claim.reference ?? '') ?? [];
		const areEqual = new Set(alike.map(({ claim: { content } }) => content)).size === 1;
		if (areEqual && unreadAlike.length === 0) continue;
		const items = [...alike.map(({ entry }) => entry.item), ...unreadAlike];
		const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
		for (const { entry, claim } of alike) {
			rejected.add(entry);
			reject(entry.item, sharedError(claim, indexes, areEqual));
		}
	}
	return entries.filter((entry) => !rejected.has(entry));
}

function sharedError({ reference }: Claim, indexes: number[], areEqual: boolean): InputError {
	const [reason, advice] = areEqual
		? [
				'cannot all be used',
				'First correct those whose values cannot be used. If they are one payment, leave the reference as it is; if not, give each',
			]
		: ['ask for different things', 'Give each'];
	return new InputError(
		`Items ${listed(indexes)} have the same unique reference, "${reference}", and ${reason}, so nothing was sent for any of them`,
		`${advice} its own reference, such as the number of its invoice: empty the field first, since a value that is dragged onto it is added to what stands there. If an earlier run has used "${reference}", find out what was done under it, and leave that out: under another reference it is done twice.`,
	);
}
