import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { isDone, LedgerError } from '../ledger/ledger';
import { ServiceError } from '../api/http/errors';
import { redactNamedInText } from '../api/http/redact';
import { indexBy, joinNames } from '../shared/lists';
import { InputError } from '../shared/errors';
import { stringOrEmpty } from '../shared/typeGuards';
import type { ItemResult } from './operation';
import { isTool } from './safeguards';

const MAX_NAMES = 50;

/**
 * An item that failed, in a run that continues. Its error is a part of `json`: n8n drops everything but the
 * message of an error that is set beside it.
 */
export function failedItem(n8n: IExecuteFunctions, result: ItemResult): INodeExecutionData {
	const isRouted = n8n.getNode().onError === 'continueErrorOutput';
	const json = isRouted ? routedJson(result) : continuedJson(result);
	return { json, pairedItem: { item: result.item.index } };
}

/**
 * An item for the error output. Every version of n8n routes one with nothing but `error` and `message` there;
 * up to 2.33 it takes one with other keys for a success. So `message` holds all that is known.
 */
const routedJson = (result: ItemResult): IDataObject => ({
	error: messageWithItem(result),
	message: { ...detailsOf(result.error), ...result.output?.json },
});

/** An item for the only output, where it looks like the others: it keeps what the operation knows of it. */
function continuedJson(result: ItemResult): IDataObject {
	const { error, output } = result;
	const message = messageWithItem(result);
	if (output === undefined) {
		return { error: message, details: detailsOf(error) };
	}
	return { ...output.json, error: message, hint: describe(error).hint };
}

function detailsOf(error: unknown): IDataObject {
	const { hint } = describe(error);
	return {
		...(hint !== '' && { hint }),
		unconfirmed: saysUnconfirmed(error),
		...(error instanceof ServiceError && error.status !== undefined && { status: error.status }),
	};
}

/**
 * The error that a run ends with: says what went wrong with which item, and how the others ended,
 * since n8n shows no output of a run that failed. Keeps nothing of a request or its answer.
 *
 * @param notices what the run tells beside that
 */
export function nodeError(
	n8n: IExecuteFunctions,
	results: ItemResult[],
	notices: string[],
): NodeApiError | NodeOperationError {
	// What is unconfirmed comes first: it must not be overlooked.
	const [first, ...others] = results
		.filter(hasFailed)
		.sort((one, other) => rank(one) - rank(other));
	if (first === undefined) {
		throw new Error('No item has failed');
	}
	const { error, item } = first;
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		return error;
	}
	const count = n8n.getInputData().length;
	const summary = others.length === 0 ? '' : `${counted(results, count)}: `;
	const message = summary + messageWithItem(first);
	const names = namesOf(first).filter((name) => !message.includes(name));
	const description = [
		describe(error).hint,
		names.length > 0 && `This is about ${names.join(', ')}.`,
		...alsoFailed(first, others),
		...completed(results.filter((result) => !hasFailed(result))),
		new Set(results.map(({ item }) => item.index)).size < count &&
			'This run sent nothing for the other items.',
		...notices,
	]
		.filter(Boolean)
		.join(' ');
	const node = n8n.getNode();
	const { index: itemIndex } = item;
	if (!(error instanceof ServiceError)) {
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	const httpCode = error.status === undefined ? {} : { httpCode: String(error.status) };
	return new NodeApiError(node, { message }, { message, description, itemIndex, ...httpCode });
}

/** The hint beside the output of a run that continues, which n8n shows as a success. */
export function failureHint(results: ItemResult[], count: number): string {
	const advice = results.some(({ error }) => saysUnconfirmed(error))
		? 'Unconfirmed ones may have been done: read their items before you do anything else.'
		: 'The output says why, and what to do.';
	// What did not fail may be held, or a duplicate.
	const hasOthers = results.some((result) => !hasFailed(result) && isPayout(result));
	const others = hasOthers ? ' The others ended as their "status" says.' : '';
	return `${counted(results, count)}. ${advice}${others}`;
}

/** Only an error that says so counts: any other is the workflow's own, such as an expression that fails. */
const saysUnconfirmed = (error: unknown): boolean =>
	error instanceof ServiceError && error.outcome === 'unknown';

const hasFailed = ({ error }: ItemResult): boolean => error !== undefined;

const isPayout = ({ output }: ItemResult): boolean => output?.json.unique_reference !== undefined;

/** Whether nothing was sent for an item, and nothing is wrong with it itself. */
const isNotSent = ({ output }: ItemResult): boolean => output?.json.status === 'not_sent';

/** An item's own error comes before items that were skipped because of it. */
function rank(result: ItemResult): number {
	const { error, item } = result;
	if (saysUnconfirmed(error)) {
		return item.index - Number.MAX_SAFE_INTEGER / 2;
	}
	return isNotSent(result) ? item.index + Number.MAX_SAFE_INTEGER / 2 : item.index;
}

/** The message for an item. A model reads nothing else, and tries another way unless it is told not to. */
function messageWithItem({ error, item }: ItemResult): string {
	const advice = isTool(item.node) ? '. Stop here and call a person. Do not try another way.' : '';
	return `${describe(error).message} [item ${item.index}]${advice}`;
}

/** The texts of an error, without named secrets: it may quote an item that holds one. */
function describe(error: unknown): { message: string; hint: string } {
	const message = error instanceof Error ? error.message : String(error);
	return { message: redactNamedInText(message), hint: redactNamedInText(hintOf(error)) };
}

function hintOf(error: unknown): string {
	if (error instanceof LedgerError) {
		return `${error.hint} This run moved no money for it.`;
	}
	if (error instanceof InputError) {
		return `${error.hint} This run sent nothing for it.`;
	}
	return error instanceof ServiceError ? error.hint : '';
}

function counted(results: ItemResult[], count: number): string {
	const failures = results.filter(hasFailed);
	const unconfirmed = failures.filter(({ error }) => saysUnconfirmed(error)).length;
	const notSent = failures.filter((one) => isNotSent(one)).length;
	const failed = failures.length - unconfirmed - notSent;
	const parts = [
		failed > 0 && `${failed} failed`,
		notSent > 0 && `${notSent} ${notSent === 1 ? 'was' : 'were'} not sent`,
		unconfirmed > 0 && `${unconfirmed} ${unconfirmed === 1 ? 'is' : 'are'} unconfirmed`,
	];
	const said = parts.filter((part) => part !== false);
	const last = said.pop() ?? '';
	const text = said.length === 0 ? last : `${said.join(', ')} and ${last}`;
	return `Of ${count} ${count === 1 ? 'item' : 'items'}, ${text}`;
}

function alsoFailed(first: ItemResult, others: ItemResult[]): string[] {
	const messageOf = ({ error }: ItemResult): string => describe(error).message;
	return [...indexBy(others, messageOf)].map(([message, alike]) => {
		const names = joinNames(alike.map(itemName), MAX_NAMES);
		return message === messageOf(first)
			? `The same holds for ${names}.`
			: `${alike.every(isNotSent) ? 'Not sent' : 'Also failed'}: ${names}: ${message}.`;
	});
}

function completed(done: ItemResult[]): string[] {
	if (done.length === 0) {
		return [];
	}
	const isSafe = done.every(isPayout);
	const names = done.map((one) => `${itemName(one)} ${endOf(one)}`.trim());
	return [
		`These did not fail: ${joinNames(names, MAX_NAMES)}.`,
		isSafe ? '' : 'When you run it again, leave these out: they would be done again.',
	];
}

/** How an item ended that did not fail. */
function endOf({ output }: ItemResult): string {
	const { status, first_status: state } = output?.json ?? {};
	if (status !== 'duplicate') {
		return stringOrEmpty(status);
	}
	if (state === 'awaiting_deposit') {
		return 'waits for its deposit, not paid yet';
	}
	return isDone({ state: stringOrEmpty(state) }) ? 'paid before, not again' : status;
}

/** An item with the names that it is known by. */
function itemName(result: ItemResult): string {
	const names = namesOf(result);
	return `item ${result.item.index}${names.length > 0 ? ` (${names.join(', ')})` : ''}`;
}

/** The user's reference, and the service's ID. */
function namesOf({ output }: ItemResult): string[] {
	const { unique_reference: reference, id, payable_id: payableId } = output?.json ?? {};
	return [reference, id ?? payableId].flatMap((name) => stringOrEmpty(name) || []);
}
