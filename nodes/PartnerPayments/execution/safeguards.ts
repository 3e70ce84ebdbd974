import type { INode } from 'n8n-workflow';

import { inMajorUnits, toMinorUnits, type AmountUnit } from '../shared/money';
import { isRecord, readTexts, reject } from '../shared/values';
import type { ItemParameters } from './itemParameters';

/** One field of a node before the agent, with a fixed text around it: the same at each call of a tool. */
const FIELD_OF_NODE =
	/^=[^{}]*\{\{\s*\$\((['"])[^'"\\]+\1\)\.(?:item|first\(\)|last\(\))\.json(?:\.[\w$]+|\[(?:\d+|(['"])[^'"\\]*\2)\])+\s*\}\}[^{}]*$/;

const ENTER_IT =
	"Enter the value itself, or let it come from one field of a node before the agent, such as {{ $('Invoice').item.json.number }}. A person has to decide it.";

/** Whether a model chooses what the node does: n8n's twin of the node, for agents, has such a type. */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/** Throws for a parameter, as it is written in the node, that a model could fill in though a person must set it. */
function assertSetByPerson(written: unknown, label: string, node: Pick<INode, 'type'>): void {
	const isOfModel = (text: string): boolean =>
		text.startsWith('=') && (isTool(node) ? !FIELD_OF_NODE.test(text) : /\$fromai\b/i.test(text));
	if (textsIn(written).some(isOfModel))
		reject(`${label} must not be filled in by a model`, ENTER_IT);
}

const textsIn = (value: unknown): string[] =>
	typeof value === 'object' && value !== null
		? Object.values(value).flatMap(textsIn)
		: [String(value)];

/**
 * Reads an option that says how much may be paid; undefined where it was not added. One that is there but
 * empty is for `read` to refuse.
 */
function readBound<Value>(
	item: ItemParameters,
	option: string,
	label: string,
	read: (value: unknown) => Value,
): Value | undefined {
	const options: unknown = item.node.parameters.options;
	if (!isRecord(options) || !(option in options)) return undefined;
	assertSetByPerson(options[option], label, item.node);
	return read(item.value(`options.${option}`));
}

/** An upper limit in minor units; undefined where there is none. */
export const readLimit = (item: ItemParameters, option: string, label: string) =>
	readBound(item, option, label, (value) => toMinorUnits(value, 'dollars', label));

/** The unit of an item's amounts, dollars unless an option says otherwise, which no model chooses. */
export const readAmountUnit = (item: ItemParameters): AmountUnit =>
	readBound(item, 'amountUnit', 'Amount Unit', () =>
		item.choice<AmountUnit>('options.amountUnit', ['dollars', 'cents'], 'Amount Unit'),
	) ?? 'dollars';

/** The amount of an item in minor units. */
export const readAmount = (item: ItemParameters): number =>
	toMinorUnits(item.value('amount'), readAmountUnit(item));

/** Who may be paid; undefined for everybody. */
export const readAllowedPayees = (item: ItemParameters) =>
	readBound(item, 'allowedPayees', 'Allowed Payees', (value) => {
		const payees = readTexts(value, 'Allowed Payees');
		if (payees.length > 0) return payees;
		return reject('Allowed Payees is empty', 'Enter at least one, or remove the option.');
	});

/** What may be paid at once in minor units, infinite without a limit, which a tool must have. */
export function readMaxAmount(item: ItemParameters): number {
	const limit = readLimit(item, 'maxAmount', 'Maximum Amount');
	if (limit !== undefined) return limit;
	if (!isTool(item.node)) return Infinity;
	return reject(
		'As a tool of an agent, this operation needs a Maximum Amount',
		'A person has to add the option to this node, so that the agent cannot pay more.',
	);
}

/** Throws an InputError for an amount (minor units) that is above its limit. */
export function assertAtMost(limit: number, amount: number, where = ''): void {
	if (amount <= limit) return;
	reject(
		`${inMajorUnits(amount)}${where} is above the Maximum Amount, ${inMajorUnits(limit)}`,
		'Correct the amount, or let the person responsible for this workflow raise the limit.',
	);
}

/**
 * Throws an InputError where a model would decide which payment it is (each call of a tool another one),
 * whose wallet pays it (the reference is another payment there), whether money moves at all, or what is
 * never checked.
 */
export function assertSetByWorkflow({ node }: ItemParameters): void {
	const { uniqueReference, fundingMethod, workspaceId } = node.parameters;
	const options: unknown = node.parameters.options;
	assertSetByPerson(uniqueReference, 'Unique Reference', node);
	assertSetByPerson(fundingMethod, 'Funding Method', node);
	assertSetByPerson(workspaceId, 'Workspace', node);
	if (isRecord(options)) assertSetByPerson(options.additionalFields, 'Additional Fields', node);
}

/** @throws InputError for an operation that is not for models; `reason` ends with its full stop */
export function refuseAsTool({ node }: ItemParameters, reason: string): void {
	if (isTool(node)) reject('This operation is not for the tools of an agent', reason);
}
