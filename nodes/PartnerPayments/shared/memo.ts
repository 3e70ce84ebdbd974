/** So many results are kept, which are a few megabytes. */
const MAX_RESULTS = 20_000;

/**
 * A function of a text that keeps its results, since a run asks for the same ones again and again. When there are many,
 * it begins anew.
 */
export function memoized<Result extends string | object>(
	compute: (text: string) => Result,
): (text: string) => Result {
	const results = new Map<string, Result>();
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
