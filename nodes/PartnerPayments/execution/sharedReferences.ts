import type { Claim } from '../ledger/ledger';
import { InputError } from '../shared/inputError';
import { groupBy, indexBy, listed } from '../shared/lists';
import { foldReference } from '../shared/reference';
import type { ItemParameters } from './itemParameters';

/** What tells the references of a run apart. */
export const referenceKey = ({ workspaceId, reference }: Claim): string =>
	JSON.stringify([workspaceId, reference]);

/** The same for references that nobody takes for one. */
const foldedKey = (claim: Claim): string =>
	referenceKey({ ...claim, reference: foldReference(claim.reference) });

/**
 * Rejects all items of which several ask for different things under one reference, or write it with
 * different capitals, or of which one cannot be read. Were the first of them done, whoever then gives
 * all of them references of their own would have it done twice.
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
	const unreadByReference = indexBy(unread, (item) => foldReference(item.writtenReference()));
	const rejected = new Set<Entry>();
	for (const alike of groupBy(claimed, ({ claim }) => foldedKey(claim))) {
		const unreadAlike = unreadByReference.get(foldReference(alike[0]?.claim.reference ?? '')) ?? [];
		const references = [...new Set(alike.map(({ claim: { reference } }) => reference))];
		const areEqual = new Set(alike.map(({ claim: { content } }) => content)).size === 1;
		if (references.length === 1 && areEqual && unreadAlike.length === 0) continue;
		const items = [...alike.map(({ entry }) => entry.item), ...unreadAlike];
		const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
		for (const { entry } of alike) {
			rejected.add(entry);
			reject(entry.item, sharedError(references, indexes, areEqual));
		}
	}
	return entries.filter((entry) => !rejected.has(entry));
}

function sharedError(references: string[], indexes: number[], areEqual: boolean): InputError {
	const names = references.map((reference) => `"${reference}"`);
	const [fault, advice] = faultOf(names, areEqual);
	return new InputError(
		`Items ${listed(indexes)} have ${fault}, so nothing was sent for any of them`,
		`${advice} its own reference, such as the number of its invoice: empty the field first, since a value that is dragged onto it is added to what stands there. If an earlier run has used ${names.join(' or ')}, find out what was done under it, and leave that out: under another reference it is done twice.`,
	);
}

/** What is wrong, and the beginning of what to do. */
function faultOf(names: string[], areEqual: boolean): [fault: string, advice: string] {
	if (names.length > 1)
		return [
			`unique references that differ only in capitals, ${names.join(' and ')}`,
			'If they are one payment, write the reference in the same way in all of them; if not, give each',
		];
	const shared = `the same unique reference, ${names.join()}`;
	if (areEqual)
		return [
			`${shared}, and cannot all be used`,
			'First correct those whose values cannot be used. If they are one payment, leave the reference as it is; if not, give each',
		];
	return [`${shared}, and ask for different things`, 'Give each'];
}
