import { median } from 'simple-statistics';

import { toMinorUnits } from '../../../nodes/PartnerPayments/shared/money';
import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { makeEvents } from '../trigger/events';

const ITEMS = 20_000;
const ROUNDS = 9;
const NO_IDENTIFIERS = new Map<string, never>();

/** Microseconds to convert an amount to minor units. */
export function amountConversionUs(): number {
	const amounts = Array.from({ length: ITEMS }, (_, index) => `${index}.${10 + (index % 90)}`);
	return timeUs(amounts.slice(1), (amount) => toMinorUnits(amount, 'major'));
}

/** Microseconds to parse an event, once its JSON is parsed. */
export function eventParsingUs(): number {
	const bodies = makeEvents('functions', ITEMS, 'workspace').map(({ body }): unknown =>
		JSON.parse(body),
	);
	return timeUs(bodies, (body) => parseEvents(body, NO_IDENTIFIERS).length);
}

/** The time per input, the median of several rounds over all of them. */
function timeUs<Input>(inputs: Input[], call: (input: Input) => number): number {
	let sum = 0;
	const times = Array.from({ length: ROUNDS }, () => {
		const start = performance.now();
		for (const input of inputs) sum += call(input);
		return ((performance.now() - start) / inputs.length) * 1000;
	});
	// The results are used, so that the engine cannot optimize the work away.
	if (!(sum > 0)) throw new Error('No results');
	return median(times);
}
