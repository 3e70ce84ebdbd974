/** The value below which this share of the values lies, between two of them where it falls there. */
export function quantile(values: number[], share: number): number {
	const sorted = values.toSorted((one, other) => one - other);
	const at = (sorted.length - 1) * share;
	const [low = NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
	return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: number[]): number => quantile(values, 0.5);

/** The median, and in brackets every value. */
export const medianOfAll = (values: number[], digits: number): string =>
	`${median(values).toFixed(digits)} (${values.map((value) => value.toFixed(digits)).join(', ')})`;

/** The median and the 95th percentile. */
export const spread = (values: number[]): string =>
	`${median(values).toFixed(1)} / ${quantile(values, 0.95).toFixed(1)}`;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

/** How often something occurred, by what it was. */
export const listed = (counts: Map<string | number, number>): string =>
	[...counts].map(([key, count]) => `${key}: ${count}`).join(', ') || 'none';
