import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ServiceError } from '../service/errors';
import { connect, type Authentication, type Service } from '../service/service';
import { InputError } from '../shared/inputError';
import { Item } from './item';
import { groupBy, type Operation, type Output, type Resource } from './operation';

const MOST_IDS_IN_AN_ERROR = 50;

const RETRIES_PAY_AGAIN = [
	'This operation does not run with "Retry On Fail"',
	'Turn it off in the settings of this node: n8n would run all items again, also those that worked.',
] as const;

/**
 * Runs what the node is set to do for all its input items.
 *
 * The parameters of all items are read and checked before the first request. With "On Error" set to
 * continue, an item that fails comes out with an `error`; otherwise the run ends at the first failure,
 * and its error names what was done before it.
 *
 * @returns the outputs in the order of their input items, each linked to its own
 */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[]> {
	const results: INodeExecutionData[] = [];
	const fail = (failed: Item[], error: unknown): void => {
		for (const { index } of failed) {
			const failure = nodeError(context, error, index, results);
			if (!context.continueOnFail()) throw failure;
			results.push(failedItem(failure, error, index));
		}
	};

	const items = context.getInputData().map((_, index) => new Item(context, index));
	const works = groupBy(items, (item) => item.operation().join('.')).flatMap((group) => {
		const operation = operationOf(group, resources);
		if (operation.creates === true && context.getNode().retryOnFail === true) {
			fail(group, new InputError(...RETRIES_PAY_AGAIN));
			return [];
		}
		return operation.plan(group, (item, error) => {
			fail([item], error);
		});
	});
	let connection: Promise<Service> | undefined;
	for (const work of works) {
		context.getExecutionCancelSignal()?.throwIfAborted();
		connection ??= connect(context, authentication(context));
		await connection.then(work.send).then(
			(done) => results.push(...done.map(({ output, items: inputs }) => linked(output, inputs))),
			(error: unknown) => {
				fail(work.items, error);
			},
		);
	}
	return results.sort((one, other) => firstInput(one) - firstInput(other));
}

function authentication(context: IExecuteFunctions): Authentication {
	return context.getNodeParameter('authentication', 0) === 'oAuth2'
		? 'oAuth2'
		: 'clientCredentials';
}

function operationOf([first]: Item[], resources: Resource[]): Operation {
	const [resource, operation] = first?.operation() ?? [];
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found !== undefined) return found;
	throw new InputError(
		`There is no operation "${operation}" of "${resource}"`,
		'Choose one from the list.',
	);
}

function linked(output: Output, items: Item[]): INodeExecutionData {
	const inputs = items.map(({ index }) => ({ item: index }));
	const [only] = inputs;
	return { ...output, pairedItem: inputs.length === 1 && only !== undefined ? only : inputs };
}

function firstInput({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : (first ?? 0);
}

/**
 * An item that failed. n8n takes an item with these keys for an error and keeps them, whereas it
 * throws everything but the message away when `error` is set beside `json`.
 */
function failedItem(
	failure: NodeApiError | NodeOperationError,
	error: unknown,
	index: number,
): INodeExecutionData {
	const details = {
		...(failure.description && { advice: failure.description }),
		in_doubt: error instanceof ServiceError && error.outcome === 'inDoubt',
		...(error instanceof ServiceError && error.status !== undefined && { status: error.status }),
	};
	return { json: { error: failure.message, details }, pairedItem: { item: index } };
}

/** Says what went wrong with which item, as n8n shows it; keeps nothing of the request or its answer. */
function nodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	done: INodeExecutionData[],
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const before = context.continueOnFail() ? '' : doneBefore(done);
	if (error instanceof ServiceError) {
		const message = `${error.message} [item ${itemIndex}]`;
		const description = error.advice + before;
		const httpCode = error.status === undefined ? {} : { httpCode: String(error.status) };
		return new NodeApiError(node, { message }, { message, description, itemIndex, ...httpCode });
	}
	if (error instanceof InputError) {
		const message = `${error.message} [item ${itemIndex}]`;
		return new NodeOperationError(node, message, {
			description: `${error.advice} Nothing was sent for it.${before}`,
			itemIndex,
		});
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}

/** Names what earlier items led to, since n8n shows no output of a run that failed. */
function doneBefore(done: INodeExecutionData[]): string {
	if (done.length === 0) return '';
	const names = done.slice(0, MOST_IDS_IN_AN_ERROR).map((result) => {
		const { id } = result.json;
		return `item ${firstInput(result)}${typeof id === 'string' ? ` (${id})` : ''}`;
	});
	const more = done.length - names.length;
	return ` Done before it: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
