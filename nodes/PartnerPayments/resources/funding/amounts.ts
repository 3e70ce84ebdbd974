import type { ItemParameters } from '../../execution/itemParameters';
import { InputError } from '../../shared/inputError';
import { DENOMINATION, inMajorUnits, sum, toMinorUnits, type AmountUnit } from '../../shared/money';

/** What an item says of the amount of its funding, in minor units. */
export interface FundingAmounts {
	/** What Amount says; undefined where it is left empty. */
	amount: number | undefined;
	/** What the payables of the item are worth by the item itself; undefined when it does not say. */
	owed: number | undefined;
	/** Whether Amount is an expression that gives what the item itself is worth, not the whole funding. */
	isOwn: boolean;
}

/** Reads the amount of a funding of one item alone. */
export const readAmount = (item: ItemParameters): FundingAmounts => ({
	amount: item.amount(),
	owed: undefined,
	isOwn: false,
});

/** Reads what an item adds to a funding that other items share. */
export function readShare(item: ItemParameters): FundingAmounts {
	const amount = item.optionalAmount();
	const { amount: own, amount_denomination: denomination } = item.input();
	const isInCents = typeof own === 'number' && (denomination ?? DENOMINATION) === DENOMINATION;
	if (amount === undefined) {
		// Payables carry their amount, so that many of them can be funded without adding them up by hand.
		if (isInCents) return { amount, owed: toMinorUnits(own, 'minor'), isOwn: false };
		throw new InputError(
			'Amount is empty, and the input item has no amount in minor units to add up',
			'Feed payables into this node, or enter the amount of the whole funding.',
		);
	}
	const owed = isInCents ? readIfAmount(own, 'minor') : undefined;
	const worth = denomination === undefined ? readIfAmount(own, item.amountUnit()) : owed;
	return { amount, owed, isOwn: item.isExpression('amount') && amount === worth };
}

/**
 * The amount of a funding of several items: the sum of their own amounts, or what is typed, which must
 * equal what the payables add up to.
 *
 * @throws InputError when the items do not agree
 */
export function totalOf(items: FundingAmounts[]): number {
	const amounts = items.flatMap(({ amount }) => amount ?? []);
	if (items.every(({ isOwn }) => isOwn)) return sum(amounts);
	const owed = items.flatMap((item) => item.owed ?? []);
	const added = owed.length === items.length ? sum(owed) : undefined;
	const typed = new Set(amounts);
	const [amount = added] = typed;
	const payablesSum = added === undefined ? '' : `, here ${inMajorUnits(added)}`;
	if (amount === undefined || typed.size > 1 || (added !== undefined && added !== amount)) {
		throw new InputError(
			`The amount of a combined funding is that of all its payables${payablesSum}, but the items say otherwise`,
			'Leave Amount empty, or let each item give its own amount, such as {{ $json.amount }}: both are added up. Check that Amount Unit is the unit of these amounts.',
		);
	}
	return amount;
}

/** A value as an amount in minor units; undefined when it is none. */
function readIfAmount(value: unknown, unit: AmountUnit): number | undefined {
	try {
		return toMinorUnits(value, unit);
	} catch {
		return undefined;
	}
}
