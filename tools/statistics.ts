import { median } from 'simple-statistics';

/** The median, and in brackets every value. */
export const formatMedian = (values: number[], digits: number): string =>
	`${median(values).toFixed(digits)} (${values.map((value) => value.toFixed(digits)).join(', ')})`;

export const formatMegabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

/** How often each value occurs, in the order of their first occurrence. */
export const countValues = <Value>(values: Value[]): Map<Value, number> =>
	new Map([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));

/** Counts as text: `value: count, ...`. */
export const formatCounts = (counts: Map<string | number, number>): string =>
	[...counts].map(([value, count]) => `${value}: ${count}`).join(', ') || 'none';
