/** So many results are kept, which are a few megabytes. */
const MAX_RESULTS = 20_000;

/**
 * A function of a text that keeps its results, since a run asks for the same ones again and again. When there are many,
 * it begins anew.
 */
export function memoized(compute: (text: string) => string): (text: string) => string {
	const results = new Map<string, string>();
	return (text) => {
		const known = results.get(text);
		if (known !== undefined) {
			return known;
		}
		if (results.size >= MAX_RESULTS) {
			results.clear();
		}
		const result = compute(text);
		results.set(text, result);
		return result;
	};
}
