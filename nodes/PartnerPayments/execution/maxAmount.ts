import { InputError } from '../shared/inputError';
import { inMajorUnits } from '../shared/money';
import type { ItemParameters } from './itemParameters';
import { isTool, readLimit } from './safeguards';

/**
 * Reads what may be paid at once, at most.
 *
 * @returns minor units, infinite where no limit was set
 * @throws InputError when a model chooses the amount, and nobody has set a limit
 */
export function readMaxAmount(item: ItemParameters): number {
	const limit = readLimit(item, 'maxAmount', 'Maximum Amount');
	if (limit !== undefined) return limit;
	if (!isTool(item.node)) return Infinity;
	throw new InputError(
		'As a tool of an agent, this operation needs a Maximum Amount',
		'A person has to add the option to this node, so that the agent cannot pay more.',
	);
}

/** @throws InputError when an amount, in minor units, is above its limit */
export function checkMaxAmount(amount: number, limit: number, where = ''): void {
	if (amount <= limit) return;
	throw new InputError(
		`${inMajorUnits(amount)}${where} is above the Maximum Amount, ${inMajorUnits(limit)}`,
		'Correct the amount, or let the person who is responsible for this workflow raise the limit.',
	);
}
