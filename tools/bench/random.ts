/** Gives numbers from 0 to below 1. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The same elements in another order. */
export function shuffled<Element>(elements: Element[], random: Random): Element[] {
	return elements
		.map((element) => ({ element, rank: random() }))
		.sort((one, other) => one.rank - other.rank)
		.map(({ element }) => element);
}
