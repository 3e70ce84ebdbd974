/** The elements by a key, in their order. */
export function groupedBy<Element, Key>(
	elements: Element[],
	keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
	const groups = new Map<Key, Element[]>();
	for (const element of elements) {
		const key = keyOf(element);
		groups.set(key, [...(groups.get(key) ?? []), element]);
	}
	return groups;
}

/** How many there are of each, in the order of their first. */
export const countedBy = <Key>(keys: Key[]): Map<Key, number> =>
	new Map([...groupedBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
