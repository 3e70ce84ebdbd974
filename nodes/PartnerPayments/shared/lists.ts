/** Groups values by their key, in the order of each group's first value. */
export function groupBy<Value>(values: Value[], key: (value: Value) => string): Value[][] {
	return [...indexBy(values, key).values()];
}

/** The same groups, to be found by their keys. */
export function indexBy<Value>(
	values: Value[],
	key: (value: Value) => string,
): Map<string, Value[]> {
	const groups = new Map<string, Value[]>();
	for (const value of values) {
		const name = key(value);
		const group = groups.get(name) ?? [];
		group.push(value);
		groups.set(name, group);
	}
	return groups;
}

/** Splits values into chunks of at most a size, in their order. */
export function chunk<Value>(values: Value[], size: number): Value[][] {
	return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
		values.slice(index * size, (index + 1) * size),
	);
}

/** Names as a text, of which so many are written out. */
export function listed(names: Array<number | string>, max = 10): string {
	const more = names.length - max;
	return `${names.slice(0, max).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
