import { median } from 'simple-statistics';

/** The median, and in brackets every value. */
export const formatMedian = (values: number[], digits: number): string =>
	`${median(values).toFixed(digits)} (${values.map((value) => value.toFixed(digits)).join(', ')})`;

/** How often each value occurs, in the order of their first occurrence. */
export const countValues = <Value>(values: Value[]): Map<Value, number> =>
	new Map([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));

/** Counts as text: `value: count, ...`. */
export const formatCounts = (counts: Map<string | number, number>): string =>
	[...counts].map(([value, count]) => `${value}: ${count}`).join(', ') || 'none';

/** Measures competitors alternately, so that what disturbs the machine disturbs all. */
export async function alternately<Competitor extends string, Figure>(
	competitors: readonly Competitor[],
	rounds: number,
	measure: (competitor: Competitor) => Promise<Figure>,
): Promise<Record<Competitor, Figure[]>> {
	const figures = new Map(competitors.map((one) => [one, [] as Figure[]]));
	for (let round = 0; round < rounds; round += 1) {
		for (const one of round % 2 === 0 ? competitors : competitors.toReversed()) {
			figures.get(one)?.push(await measure(one));
		}
	}

	return Object.fromEntries(figures) as Record<Competitor, Figure[]>;
}
