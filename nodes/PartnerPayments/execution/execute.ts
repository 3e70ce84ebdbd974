import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ReferencesOfRun } from '../ledger/references';
import { connect, type Authentication, type Service } from '../service/api/client';
import { InputError } from '../shared/inputError';
import { severalAtOnce } from '../shared/concurrency';
import { failedItem, nodeError } from './errors';
import { Item } from './itemParameters';
import {
	groupBy,
	type Done,
	type Operation,
	type Output,
	type Refuse,
	type Resource,
	type Work,
} from './operation';

/** Pieces of work that are under way at once. */
const AT_ONCE = 32;
/** Milliseconds of waiting that a user is told of. */
const WORTH_TELLING = 1_000;

const RETRIES_PAY_AGAIN = [
	'This operation does not run with "Retry On Fail" unless each item has a unique reference',
	'Turn it off in the settings of this node, or enter a Unique Reference where there is one: n8n would run all items again, also those that worked.',
] as const;

/**
 * Runs what the node is set to do for all its input items.
 *
 * The parameters of all items are read and checked before the first request. With "On Error" set to
 * continue, an item that fails comes out with an `error`; otherwise nothing more is begun after the
 * first failure, and the run ends with an error that names what was done.
 *
 * @returns the outputs in the order of their input items, each linked to its own
 */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[]> {
	const results: Done[] = [];
	let hasFailed = false;
	const keep = (...done: Done[]): void => {
		results.push(...done);
		hasFailed ||= done.some(({ error }) => error !== undefined);
	};
	const isFatal = (): boolean => hasFailed && !context.continueOnFail();
	const signal = context.getExecutionCancelSignal();
	const references = new ReferencesOfRun(context);
	let connection: Promise<Service> | undefined;
	const send = async (work: Work): Promise<Done[]> => {
		connection ??= connect(context, authentication(context));
		const service = await connection;
		return await work.send(service, {
			references: (kind) => references.of(`${kind} ${service.account}`),
			signal,
		});
	};
	await severalAtOnce(
		plan(context, resources, keep),
		AT_ONCE,
		async (work) => {
			await send(work).then(
				(done) => {
					keep(...done);
				},
				(error: unknown) => {
					keep({ items: work.items, error });
				},
			);
		},
		() => isFatal() || signal?.aborted === true,
	);
	references.store();
	tellOfWaiting(context, await connection?.catch(() => undefined));
	signal?.throwIfAborted();
	if (isFatal()) throw nodeError(context, results);
	return results
		.flatMap((result) => outputs(context, result))
		.sort((one, other) => firstInput(one) - firstInput(other));
}

/** Reads all items and plans what to send for them; those that cannot be used are kept as failed. */
function plan(
	context: IExecuteFunctions,
	resources: Resource[],
	keep: (done: Done) => void,
): Work[] {
	const refuse: Refuse = (item, error, output) => {
		keep({ items: [item], error, ...(output && { output }) });
	};
	const items = context.getInputData().map((_, index) => new Item(context, index));
	return groupBy(items, (item) => item.operation().join('.')).flatMap((group) => {
		const operation = operationOf(group, resources);
		return operation.plan(repeatable(context, operation, group, refuse), refuse);
	});
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

/** Those that n8n may run again by itself without a second effect; all, when it does not. */
function repeatable(
	context: IExecuteFunctions,
	{ creates }: Operation,
	items: Item[],
	refuse: Refuse,
): Item[] {
	if (creates !== true || context.getNode().retryOnFail !== true) return items;
	return items.filter((item) => {
		if (item.writtenReference() !== '') return true;
		refuse(item, new InputError(...RETRIES_PAY_AGAIN));
		return false;
	});
}

/** Says how long the run has waited, since a slow run looks like a broken one. */
function tellOfWaiting(context: IExecuteFunctions, service: Service | undefined): void {
	const waited = service?.waitedMs() ?? 0;
	if (waited < WORTH_TELLING) return;
	context.addExecutionHints({
		message: `This run waited ${Math.round(waited / 1000)} s to keep inside the account's limit of requests.`,
		location: 'outputPane',
	});
}

function outputs(context: IExecuteFunctions, { items, output, error }: Done): INodeExecutionData[] {
	if (error !== undefined) return items.map((item) => failedItem(context, error, item, output));
	return output === undefined ? [] : [linked(output, items)];
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
