import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../ledger/ledger';
import { createLedger, openLedger, openRecords } from '../ledger/openLedger';
import { Client } from '../api/client';
import { readAuthentication } from '../api/auth/credentials';
import { forEachConcurrent, mapYielding } from '../shared/concurrency';
import { groupBy } from '../shared/lists';
import { InputError } from '../shared/inputError';
import { failedItem, failureHint, nodeError } from './errors';
import { ItemParameters } from './itemParameters';
import {
	type ItemResult,
	type Job,
	type Operation,
	type Output,
	type Reject,
	type Resource,
} from './operation';

const MAX_CONCURRENT_JOBS = 32;
const NOTABLE_WAIT_MS = 1_000;

const RETRY_ON_FAIL_REFUSED = [
	'This operation does not run with "Retry On Fail"',
	'Turn it off in the settings of this node: n8n would run all items again, also those that worked.',
] as const;

/**
 * Executes what the node is set to do for all its input items.
 *
 * The parameters of all items are read and checked before the first request. With "On Error" set to
 * continue, an item that fails comes out with an `error`; otherwise no job is started after the first
 * failure, and the execution ends with an error that names what was done.
 */
export async function execute(
	n8n: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[]> {
	const results: ItemResult[] = [];
	let hasFailed = false;
	const record = (...added: ItemResult[]): void => {
		results.push(...added);
		hasFailed ||= added.some(({ error }) => error !== undefined);
	};
	const isFatal = (): boolean => hasFailed && !n8n.continueOnFail();
	const signal = n8n.getExecutionCancelSignal();
	const hints = new Set<string>();
	let connecting: Promise<Client> | undefined;
	let ledger: Promise<Ledger> | undefined;
	const connect = async (): Promise<Client> =>
		await Client.connect(n8n, readAuthentication(n8n.getNodeParameter('authentication', 0)));
	const executeJob = async ({ items, execute: executeItems }: Job): Promise<void> => {
		try {
			const client = await (connecting ??= connect());
			const { credentials, environment } = client;
			const context = {
				client,
				ledger: async () => await (ledger ??= openLedger(n8n, credentials, environment)),
				records: async () => await openRecords(n8n, credentials),
				createLedger: async () => await createLedger(n8n, credentials),
				hint: (message: string) => hints.add(message),
				signal,
			};
			record(...(await executeItems(context)));
		} catch (error) {
			record({ items, error });
		}
	};
	const jobs = await plan(n8n, resources, record);
	const isStopped = (): boolean => isFatal() || signal?.aborted === true;
	await forEachConcurrent(jobs, MAX_CONCURRENT_JOBS, executeJob, isStopped);
	signal?.throwIfAborted();
	if (isFatal()) throw nodeError(n8n, results);
	// n8n shows hints beside an output alone.
	hintAtWaiting(await connecting?.catch(() => undefined), hints);
	const failed = failureHint(results, n8n.getInputData().length);
	if (failed !== undefined) hints.add(failed);
	for (const message of hints) n8n.addExecutionHints({ message, location: 'outputPane' });
	return results
		.flatMap((result) => outputItems(n8n, result))
		.sort((one, other) => firstInput(one) - firstInput(other));
}

async function plan(
	n8n: IExecuteFunctions,
	resources: Resource[],
	record: (result: ItemResult) => void,
): Promise<Job[]> {
	const reject: Reject = (item, error, output) => {
		record({ items: [item], error, ...(output && { output }) });
	};
	const node = n8n.getNode();
	const constants = new Map<string, unknown>();
	const items = n8n
		.getInputData()
		.map((_, index) => new ItemParameters(n8n, index, node, constants));
	const named = await mapYielding(items, (item) => ({ item, name: item.operation().join('.') }));
	const groups = groupBy(named, ({ name }) => name).map((group) => group.map(({ item }) => item));
	const jobs: Job[] = [];
	for (const group of groups) {
		const operation = operationOf(group, resources);
		jobs.push(...(await operation.plan(repeatable(n8n, operation, group, reject), reject)));
	}
	return jobs;
}

function operationOf([first]: ItemParameters[], resources: Resource[]): Operation {
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

/** The items that may be run; none, when n8n would repeat by itself what has a second effect. */
function repeatable(
	n8n: IExecuteFunctions,
	{ isNonIdempotent }: Operation,
	items: ItemParameters[],
	reject: Reject,
): ItemParameters[] {
	if (isNonIdempotent !== true || n8n.getNode().retryOnFail !== true) return items;
	for (const item of items) reject(item, new InputError(...RETRY_ON_FAIL_REFUSED));
	return [];
}

/** Says how long the execution has waited, since a slow one looks like a broken one. */
function hintAtWaiting(client: Client | undefined, hints: Set<string>): void {
	const waitedMs = client?.waitTimer.elapsedMs ?? 0;
	if (waitedMs < NOTABLE_WAIT_MS) return;
	const seconds = Math.round(waitedMs / 1000);
	hints.add(`This run waited ${seconds} s to keep inside the account's limit of requests.`);
}

function outputItems(
	n8n: IExecuteFunctions,
	{ items, output, error }: ItemResult,
): INodeExecutionData[] {
	if (error !== undefined) return items.map((item) => failedItem(n8n, error, item, output));
	return output === undefined ? [] : [linked(output, items)];
}

function linked(output: Output, items: ItemParameters[]): INodeExecutionData {
	const inputs = items.map(({ index }) => ({ item: index }));
	const [only] = inputs;
	return { ...output, pairedItem: inputs.length === 1 && only !== undefined ? only : inputs };
}

function firstInput({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : (first ?? 0);
}
