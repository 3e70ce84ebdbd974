import { checkMaxAmount } from '../../execution/maxAmount';
import type { Entry } from '../../execution/operation';
import { referenceKey } from '../../execution/sharedReferences';
import { InputError } from '../../shared/inputError';
import { groupBy } from '../../shared/lists';
import { inMajorUnits, sum } from '../../shared/money';
import type { PayoutRequest } from './request';

/**
 * Checks a run against its limits, before its first request. Of the items with one reference the first
 * is paid, so that one counts.
 *
 * @throws InputError when the run would pay more than it may
 */
export function checkLimits(entries: Array<Entry<PayoutRequest>>): void {
	for (const { input, item } of entries)
		checkMaxAmount(input.payable.amount, input.maxAmount, ` in item ${item.index}`);
	const total = sum(firstOfEach(entries).map(({ input }) => input.payable.amount));
	const limit = Math.min(...entries.map(({ input }) => input.maxTotal));
	if (total <= limit) return;
	throw new InputError(
		`The payouts of this run add up to ${inMajorUnits(total)}, which is above the Maximum Total, ${inMajorUnits(limit)}`,
		'Correct the amounts, or let the person who is responsible for this workflow raise the limit.',
	);
}

/** The first entry of each reference. */
const firstOfEach = (entries: Array<Entry<PayoutRequest>>): Array<Entry<PayoutRequest>> =>
	groupBy(entries, ({ input }) => referenceKey(input.claim)).flatMap(([first]) => first ?? []);
