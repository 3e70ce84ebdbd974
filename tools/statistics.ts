import { median } from 'simple-statistics';

/** The median, and in brackets every value. */
export function formatMedian(values: number[], digits: number): string {
	const each = values.map((value) => value.toFixed(digits));
	return `${median(values).toFixed(digits)} (${each.join(', ')})`;
}

/** How often each value occurs, in the order of their first occurrence. */
export function countValues<Value>(values: Value[]): Map<Value, number> {
	const counts = new Map<Value, number>();
	for (const value of values) {
		counts.set(value, (counts.get(value) ?? 0) + 1);
	}

	return counts;
}

/** Counts as text: `value: count, ...`. */
export const formatCounts = (counts: Map<string | number, number>): string =>
	[...counts].map(([value, count]) => `${value}: ${count}`).join(', ') || 'none';

/** What one round has measured of each competitor. */
export type Round<Competitor extends string, Figure> = Record<Competitor, Figure>;

/** Measures competitors alternately, so that what disturbs the machine disturbs all; returns each round. */
export async function alternately<Competitor extends string, Figure>(
	competitors: readonly Competitor[],
	count: number,
	measure: (competitor: Competitor) => Promise<Figure>,
): Promise<Array<Round<Competitor, Figure>>> {
	const rounds: Array<Round<Competitor, Figure>> = [];
	for (let round = 0; round < count; round += 1) {
		const order = round % 2 === 0 ? competitors : competitors.toReversed();
		const figures: Array<[Competitor, Figure]> = [];
		for (const competitor of order) {
			figures.push([competitor, await measure(competitor)]);
		}

		rounds.push(Object.fromEntries(figures) as Round<Competitor, Figure>);
	}

	return rounds;
}

/** The figures of all rounds, by competitor. */
export function figuresByName<Competitor extends string, Figure>(
	competitors: readonly Competitor[],
	rounds: Array<Round<Competitor, Figure>>,
): Record<Competitor, Figure[]> {
	const entries = competitors.map((name) => [name, rounds.map((round) => round[name])] as const);
	return Object.fromEntries(entries) as Record<Competitor, Figure[]>;
}
