import { toMinorUnits } from '../../nodes/PartnerPayments/shared/money';
import { parseEvents } from '../../nodes/PartnerPayments/trigger/eventParsing';
import { makeEvents } from './events';
import { median } from './statistics';

const ITEMS = 20_000;
const ROUNDS = 9;
const NO_IDENTIFIERS = new Map<string, never>();

/** Microseconds to convert an amount. */
export function timeOfMoney(): number {
	const amounts = Array.from({ length: ITEMS }, (_, index) => `${index}.${10 + (index % 90)}`);
	return microseconds(amounts.slice(1), (amount) => toMinorUnits(amount, 'major'));
}

/** Microseconds to parse an event in a body that is parsed already. */
export function timeOfRecognition(): number {
	const bodies = makeEvents('direct', ITEMS, 'workspace').map(({ body }): unknown =>
		JSON.parse(body),
	);
	return microseconds(bodies, (body) => parseEvents(body, NO_IDENTIFIERS).length);
}

/** The time per input, the median of several rounds over all of them. */
function microseconds<Input>(inputs: Input[], work: (input: Input) => number): number {
	let sum = 0;
	const times = Array.from({ length: ROUNDS }, () => {
		const start = performance.now();
		for (const input of inputs) sum += work(input);
		return ((performance.now() - start) / inputs.length) * 1000;
	});
	// What came out is used, so that no work can be left out.
	if (!(sum > 0)) throw new Error('Nothing came out.');
	return median(times);
}
