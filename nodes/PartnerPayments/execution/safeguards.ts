import type { INode } from 'n8n-workflow';

import { InputError, reject } from '../shared/inputError';
import { isRecord } from '../shared/json';
import { toMinorUnits } from '../shared/money';
import { readTexts } from '../shared/values';
import type { ItemParameters } from './itemParameters';

/** What n8n resolves to a value that a model has chosen, in each of its spellings. */
const FROM_MODEL = /\$fromai\b/i;
/** What leads to such a value in a tool, whose input is what the model says. */
const FROM_MODEL_IN_TOOL =
	/\$(?:fromai|tool|json|data|input|binary|items?|thisItem|getPairedItem|parameter|evaluateExpression)\b/i;
const ENTER_IT =
	'Enter the value itself. It keeps payments in bounds, so a person has to decide it.';

/** Whether a model chooses what the node does: n8n's twin of the node, for agents, has such a type. */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/**
 * Sees to it that a person has set a parameter that keeps payments in bounds.
 *
 * @param written the parameter as it stands in the node, with its expressions
 * @param hint what to do instead
 * @throws InputError when a model would fill it in
 */
export function assertSetByPerson(
	written: unknown,
	label: string,
	node: Pick<INode, 'type'>,
	hint = ENTER_IT,
): void {
	const pattern = isTool(node) ? FROM_MODEL_IN_TOOL : FROM_MODEL;
	const [found] = pattern.exec(JSON.stringify(written ?? '')) ?? [];
	if (found === undefined) return;
	throw new InputError(`${label} reads ${found}, which a model fills in`, hint);
}

/**
 * Reads an upper limit among the options, written in major units.
 *
 * @returns minor units, undefined where the option was not added; one that is there and holds
 *   nothing is rejected, since nobody means "no limit" by it
 */
export function readLimit(item: ItemParameters, option: string, label: string): number | undefined {
	if (!hasOption(item, option, label)) return undefined;
	return toMinorUnits(item.value(`options.${option}`), 'major', label);
}

/** Reads the entries of an option's text with commas or list; undefined where it was not added. */
export function readAllowed(
	item: ItemParameters,
	option: string,
	label: string,
): string[] | undefined {
	if (!hasOption(item, option, label)) return undefined;
	const entries = readTexts(item.value(`options.${option}`), label);
	if (entries.length > 0) return entries;
	return reject(`${label} is empty`, 'Enter at least one, or remove the option.');
}

/** Reads which of the values of an option was chosen; undefined where it was not added. */
export function readChoice<Value extends string>(
	item: ItemParameters,
	option: string,
	values: readonly Value[],
	label: string,
): Value | undefined {
	if (!hasOption(item, option, label)) return undefined;
	return item.choice(`options.${option}`, values, label);
}

/**
 * Whether an option was added that keeps payments in bounds.
 *
 * @throws InputError when a model would fill it in, or when an expression stands in place of all
 *   options, of which n8n would read none
 */
function hasOption({ node }: ItemParameters, option: string, label: string): boolean {
	const options: unknown = node.parameters.options;
	if (options === undefined) return false;
	if (!isRecord(options))
		return reject('Options is an expression', 'Add the options one by one, so that limits hold.');
	assertSetByPerson(options[option], label, node);
	return option in options;
}
