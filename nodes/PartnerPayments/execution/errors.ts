import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { LedgerError } from '../ledger/ledger';
import { isInDoubt, ServiceError } from '../service/http/errors';
import { redactNamedInText } from '../service/http/redact';
import { groupBy, listed } from '../shared/lists';
import { InputError } from '../shared/inputError';
import type { ItemParameters } from './itemParameters';
import { type ItemResult, type Output } from './operation';
import { isTool } from './safeguards';

/** How many other items an error names. */
const MAX_NAMES = 50;

/** A failure of one item. */
interface Failure {
	error: unknown;
	item: ItemParameters;
	output?: Output | undefined;
}

/**
 * An item that failed, in a run that goes on.
 *
 * An item with nothing but `error` and `message` is what every version of n8n routes to the error output
 * and keeps; up to 2.33 it takes one with other keys for a success. It throws everything but the message
 * away when `error` is set beside `json`. Where nothing is routed, what the operation knows of the item
 * comes out like that of any other.
 *
 * @param output what the operation knows of it all the same
 */
export function failedItem(
	n8n: IExecuteFunctions,
	error: unknown,
	item: ItemParameters,
	output: Output | undefined,
): INodeExecutionData {
	const { message, hint } = describe(error);
	const pairedItem = { item: item.index };
	const located = `${message} [item ${item.index}]${forModel(item)}`;
	const isRouted = n8n.getNode().onError === 'continueErrorOutput';
	if (output !== undefined && !isRouted)
		return { json: { ...output.json, error: located, hint }, pairedItem };
	const details: IDataObject = {
		...(hint !== '' && { hint }),
		in_doubt: isInDoubt(error),
		...(error instanceof ServiceError && error.status !== undefined && { status: error.status }),
		...output?.json,
	};
	return { json: { error: located, [isRouted ? 'message' : 'details']: details }, pairedItem };
}

/**
 * The error that a run ends with: says what went wrong with which item, and what was done all the
 * same, since n8n shows no output of a run that failed. Keeps nothing of a request or its answer.
 */
export function nodeError(
	n8n: IExecuteFunctions,
	results: ItemResult[],
): NodeApiError | NodeOperationError {
	const failures = results
		.flatMap(({ items, error, output }) => items.map((item) => ({ item, error, output })))
		.filter(({ error }) => error !== undefined)
		.sort((one, other) => rank(one) - rank(other));
	const [first, ...others] = failures;
	if (first === undefined) throw new Error('There is no failure to tell of');
	const { error, item } = first;
	const { message: reason, hint } = describe(error);
	const located = `${reason} [item ${item.index}]${forModel(item)}`;
	const message = summary(failures, n8n.getInputData().length) + located;
	const description = [hint, identified(first), alsoFailed(first, others), completed(results)]
		.filter(Boolean)
		.join(' ');
	const node = n8n.getNode();
	const { index: itemIndex } = item;
	if (error instanceof ServiceError) {
		const httpCode = error.status === undefined ? {} : { httpCode: String(error.status) };
		return new NodeApiError(node, { message }, { message, description, itemIndex, ...httpCode });
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, message, { description, itemIndex });
}

/** A model reads the message alone, and would try another way. */
const forModel = ({ node }: ItemParameters): string =>
	isTool(node) ? '. Stop here and tell a person. Do not try it in another way.' : '';

/** What is in doubt comes first: it must not be overlooked. */
const rank = ({ error, item }: Failure): number =>
	item.index - (isInDoubt(error) ? Number.MAX_SAFE_INTEGER : 0);

/** What to tell of an error; without what is called a secret, which an item may hold as well. */
function describe(error: unknown): { message: string; hint: string } {
	const { message, hint } = explanationOf(error);
	return { message: redactNamedInText(message), hint: redactNamedInText(hint) };
}

function explanationOf(error: unknown): { message: string; hint: string } {
	if (error instanceof ServiceError) return error;
	if (error instanceof LedgerError)
		return { message: error.message, hint: `${error.hint} This run moved no money for it.` };
	if (error instanceof InputError)
		return { message: error.message, hint: `${error.hint} This run sent nothing for it.` };
	return { message: error instanceof Error ? error.message : String(error), hint: '' };
}

const summary = (failures: Failure[], count: number): string =>
	failures.length < 2 ? '' : `${counted(failures, count)}: `;

function counted(failures: Array<Pick<Failure, 'error'>>, count: number): string {
	const doubts = failures.filter(({ error }) => isInDoubt(error)).length;
	const failed = failures.length - doubts;
	const parts = [
		...(failed > 0 ? [`${failed} failed`] : []),
		...(doubts > 0 ? [`${doubts} ${doubts === 1 ? 'is' : 'are'} in doubt`] : []),
	];
	return `Of ${count} ${count === 1 ? 'item' : 'items'}, ${parts.join(' and ')}`;
}

/**
 * What to tell beside the output of a run that goes on, which n8n shows as a success.
 *
 * @param count of the input items
 * @returns nothing where no item has failed
 */
export function failureHint(results: ItemResult[], count: number): string | undefined {
	const failures = results
		.filter(({ error }) => error !== undefined)
		.flatMap(({ items, error }) => items.map(() => ({ error })));
	if (failures.length === 0) return undefined;
	const isInDoubtOne = failures.some(({ error }) => isInDoubt(error));
	const advice = isInDoubtOne
		? 'What is in doubt may have been done: do it in no other way before you have read what its item says.'
		: 'The output says why, and what to do.';
	return `${counted(failures, count)}. ${advice}`;
}

/** The names of the item that the message tells of by its number. */
function identified(failure: Failure): string {
	const name = nameOf(failure);
	return name.includes('(') ? `This is ${name}.` : '';
}

/** What is wrong with the other items; those of which the same is true are named together. */
function alsoFailed(first: Failure, others: Failure[]): string {
	const sentence = ({ error }: Failure): string => describe(error).message;
	return groupBy([first, ...others], sentence)
		.map((alike) => {
			const isFirst = alike.includes(first);
			const names = alike.filter((failure) => failure !== first).map(nameOf);
			if (names.length === 0) return '';
			const [one = first] = alike;
			return isFirst
				? `The same holds for ${listed(names, MAX_NAMES)}.`
				: `Also failed: ${listed(names, MAX_NAMES)}: ${sentence(one)}.`;
		})
		.filter(Boolean)
		.join(' ');
}

function completed(results: ItemResult[]): string {
	const done = results
		.filter(({ error }) => error === undefined)
		.flatMap(({ items, output }) => items.map((item) => ({ item, output })));
	const tell = (words: string, some: typeof done): string =>
		some.length === 0 ? '' : `${words}: ${listed(some.map(nameOf), MAX_NAMES)}.`;
	const isUnnamed = done.some(({ output }) => output?.json['unique_reference'] === undefined);
	return [
		tell(
			'Done all the same',
			done.filter((one) => !isDuplicate(one)),
		),
		tell('Done before, so that nothing was sent now', done.filter(isDuplicate)),
		isUnnamed
			? 'When you run it again, leave out those that have no unique reference: they would be done again.'
			: '',
	]
		.filter(Boolean)
		.join(' ');
}

const isDuplicate = ({ output }: Pick<Failure, 'output'>): boolean =>
	output?.json['status'] === 'duplicate' || output?.json['duplicate'] === true;

/** An item with the names that it is known by: the user's reference, and the service's ID. */
function nameOf({ item, output }: Pick<Failure, 'item' | 'output'>): string {
	const { unique_reference: reference, id, payable_id: payableId } = output?.json ?? {};
	const names = [reference, id ?? payableId]
		.filter((name) => typeof name === 'string')
		.filter(Boolean);
	return `item ${item.index}${names.length > 0 ? ` (${names.join(', ')})` : ''}`;
}
