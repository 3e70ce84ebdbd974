import type { INode } from 'n8n-workflow';

import { dollarText, toMinorUnits, type AmountUnit } from '../shared/money';
import { InputError, throwInputError } from '../shared/errors';
import { readFlag } from '../shared/fieldReaders';
import { stringOrEmpty } from '../shared/typeGuards';
import type { ItemParameters } from './itemParameters';

/** One field of a node before the agent, with fixed text around it: the same for each call of a tool. */
const FIELD_OF_NODE =
	/^=[^{}]*\{\{\s*\$\((['"])[^'"\\]+\1\)\.(?:item|first\(\)|last\(\))\.json(?:\.[\w$]+|\[(?:\d+|(['"])[^'"\\]*\2)\])+\s*\}\}[^{}]*$/;

const ENTER_FIXED =
	"Enter the value itself, or take it from one field of a node before the agent, such as {{ $('Invoice').item.json.number }}. A person must decide it.";

/** Whether an agent calls the node: n8n's copy of the node for agents has such a type. */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/** Throws for a parameter, as written in the node, that a model could fill in. */
function assertSetByPerson(written: unknown, label: string, node: Pick<INode, 'type'>): void {
	const isOfModel = (text: string): boolean =>
		text.startsWith('=') && (isTool(node) ? !FIELD_OF_NODE.test(text) : /\$fromai\b/i.test(text));
	if (textsIn(written).some(isOfModel)) {
		throwInputError(`A model must not fill in "${label}"`, ENTER_FIXED);
	}
}

const textsIn = (value: unknown): string[] =>
	typeof value === 'object' && value !== null
		? Object.values(value).flatMap(textsIn)
		: [String(value)];

/** Reads an option that a person must set; undefined without the option. `read` says what an empty one means. */
export function readOption<Value>(
	item: ItemParameters,
	option: string,
	label: string,
	read: (value: unknown) => Value,
): Value | undefined {
	const written = item.written(`options.${option}`);
	if (written === undefined) {
		return undefined;
	}
	assertSetByPerson(written, label, item.node);
	return read(item.checkedValue(`options.${option}`, `"${label}"`));
}

/** Whether a person has switched an option on. */
export const readSwitch = (item: ItemParameters, option: string, label: string): boolean =>
	readOption(item, option, label, (value) => {
		const isOn = readFlag(value, `"${label}"`);
		return isOn ?? throwInputError(`"${label}" is empty`, 'Set it, or remove the option.');
	}) ?? false;

/** An upper limit in minor units, infinite without the option. */
export const readLimit = (item: ItemParameters, option: string, label: string): number =>
	readOption(item, option, label, (value) => toMinorUnits(value, 'dollars', `"${label}"`)) ??
	Infinity;

/** The unit of an item's amounts. A model does not choose it. */
export const readAmountUnit = (item: ItemParameters): AmountUnit =>
	readOption(item, 'amountUnit', 'Amount Unit', () =>
		item.choice<AmountUnit>('options.amountUnit', ['dollars', 'cents'], 'Amount Unit'),
	) ?? 'dollars';

/** The amount of an item in minor units. */
export function readAmount(item: ItemParameters): number {
	// In the editor, a field that is dragged onto a filled one is added to its text.
	if (stringOrEmpty(item.node.parameters.amount).split('{{').length > 2) {
		throwInputError(
			'"Amount" joins several values',
			'Use one expression, such as {{ $json.quantity * $json.price }}.',
		);
	}
	return toMinorUnits(item.checkedValue('amount', '"Amount"'), readAmountUnit(item));
}

/** The most that may be paid at once in minor units, infinite without a limit. A tool must have one. */
export function readMaxAmount(item: ItemParameters): number {
	const limit = readLimit(item, 'maxAmount', 'Limit: Maximum Amount');
	if (limit < Infinity || !isTool(item.node)) {
		return limit;
	}
	return throwInputError(
		'As a tool of an agent, this operation needs "Limit: Maximum Amount"',
		'A person must add the option to this node, so that the agent cannot pay more.',
	);
}

/** The error for an amount (minor units) above its limit. */
export function aboveMaxAmount(limit: number, amount: number): InputError | undefined {
	if (amount <= limit) {
		return undefined;
	}
	return new InputError(
		`${dollarText(amount)} is above "Limit: Maximum Amount", ${dollarText(limit)}`,
		'Correct the amount, or ask the person responsible for this workflow to raise the limit.',
	);
}

/** Throws an InputError for an amount (minor units) above its limit. */
export function assertAtMost(limit: number, amount: number): void {
	const error = aboveMaxAmount(limit, amount);
	if (error !== undefined) {
		throw error;
	}
}

/**
 * Throws an InputError when a model decides the reference (each call of a tool would be another payment),
 * the workspace, the funding method, or fields that are never checked.
 */
export function assertSetByWorkflow(item: ItemParameters): void {
	const { node } = item;
	const { uniqueReference, fundingMethod, workspaceId } = node.parameters;
	assertSetByPerson(uniqueReference, 'Unique Reference', node);
	assertSetByPerson(fundingMethod, 'Funding Method', node);
	assertSetByPerson(workspaceId, 'Workspace', node);
	assertSetByPerson(item.written('options.additionalFields'), 'Additional Fields', node);
}

/** @throws InputError for an operation that is not for models; `reason` is a sentence */
export function assertNotTool({ node }: ItemParameters, reason: string): void {
	if (isTool(node)) {
		throwInputError('This operation is not for agents', reason);
	}
}
