import type { Claim } from '../ledger/ledger';
import { InputError } from '../shared/inputError';
import { groupBy, listed } from '../shared/lists';
import type { ItemParameters } from './itemParameters';

/** What tells the references of a run apart. */
export const referenceKey = ({ workspaceId, reference }: Claim): string =>
	JSON.stringify([workspaceId, reference]);

/**
 * Rejects all items of which several ask for different things under one reference. Were the first of
 * them done, whoever then gives all of them references of their own would have it done twice.
 *
 * @param claimOf what the reference of an item stands for; undefined for an item without one
 * @returns the others
 */
export function rejectShared<Entry extends { item: ItemParameters; input: unknown }>(
	entries: Entry[],
	claimOf: (input: Entry['input']) => Claim | undefined,
	reject: (item: ItemParameters, error: InputError) => void,
): Entry[] {
	const claimed = entries.flatMap((entry) => {
		const claim = claimOf(entry.input);
		return claim === undefined ? [] : [{ entry, claim }];
	});
	const rejected = new Set<Entry>();
	for (const alike of groupBy(claimed, ({ claim }) => referenceKey(claim))) {
		if (new Set(alike.map(({ claim }) => claim.content)).size === 1) continue;
		const indexes = alike.map(({ entry }) => entry.item.index);
		for (const { entry, claim } of alike) {
			rejected.add(entry);
			reject(entry.item, sharedError(claim, indexes));
		}
	}
	return entries.filter((entry) => !rejected.has(entry));
}

function sharedError({ reference }: Claim, indexes: number[]): InputError {
	return new InputError(
		`Items ${listed(indexes)} have the same unique reference, "${reference}", and ask for different things, so nothing was sent for any of them`,
		`Give each its own reference, such as the number of its invoice: empty the field first, since a value that is dragged onto it is added to what stands there. If an earlier run has used "${reference}", find out what was done under it, and leave that out: under another reference it is done twice.`,
	);
}
