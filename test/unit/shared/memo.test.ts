import { memoized } from '../../../nodes/PartnerPayments/shared/memo';

/** A function that tells which texts it was computed for. */
function counted() {
	const computed: string[] = [];
	const upper = memoized((text) => {
		computed.push(text);
		return text.toUpperCase();
	});
	return { upper, computed };
}

test('a result is computed once for each text', () => {
	const { upper, computed } = counted();

	const results = ['a', 'b', 'a', '', ''].map(upper);

	expect(results).toEqual(['A', 'B', 'A', '', '']);
	expect(computed).toEqual(['a', 'b', '']);
});

test('the results that are kept have a bound', () => {
	const { upper, computed } = counted();
	const texts = Array.from({ length: 20_001 }, (_, index) => `t${index}`);
	for (const text of texts) {
		upper(text);
	}

	const [first, last] = [upper('t0'), upper('t20000')];

	expect([first, last]).toEqual(['T0', 'T20000']);
	expect(computed.slice(20_000)).toEqual(['t20000', 't0']);
});
