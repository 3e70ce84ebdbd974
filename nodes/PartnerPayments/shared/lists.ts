/** A list with at least one value. */
export type NonEmpty<Value> = [Value, ...Value[]];

/** Groups values by their key, in the order of each group's first value. */
export function groupBy<Value>(
	values: Value[],
	key: (value: Value) => string,
): Array<NonEmpty<Value>> {
	return [...indexBy(values, key).values()];
}

/** The same groups, by their keys. */
export function indexBy<Value>(
	values: Value[],
	key: (value: Value) => string,
): Map<string, NonEmpty<Value>> {
	const groups = new Map<string, NonEmpty<Value>>();
	for (const value of values) {
		const name = key(value);
		const group = groups.get(name);
		if (group === undefined) {
			groups.set(name, [value]);
		} else {
			group.push(value);
		}
	}
	return groups;
}

/** Splits values into chunks of at most a size, in their order. */
export function chunk<Value>(values: Value[], size: number): Array<NonEmpty<Value>> {
	const chunks: Array<NonEmpty<Value>> = [];
	for (let start = 0; start < values.length; start += size) {
		const some = values.slice(start, start + size);
		if (isNonEmpty(some)) {
			chunks.push(some);
		}
	}
	return chunks;
}

export const isNonEmpty = <Value>(values: Value[]): values is NonEmpty<Value> => values.length > 0;

/** Items by their indices, as a part of a message: `item 3`, or `items 3, 4`. */
export const nameItems = (indices: number[]): string =>
	`${indices.length === 1 ? 'item' : 'items'} ${joinNames(indices)}`;

/** Joins names with commas. After `max` of them, it says how many more there are. */
export function joinNames(names: Array<number | string>, max = 10): string {
	const more = names.length - max;
	return `${names.slice(0, max).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
