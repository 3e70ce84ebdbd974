import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../ledger/ledger';
import { openLedger, openLedgerForPreview } from '../ledger/openLedger';
import { Client } from '../api/client';
import { credentialTypeOf } from '../api/auth/credentials';
import { forEachConcurrent } from '../shared/concurrency';
import { assertCollectionsFixed } from '../shared/parameters';
import { InputError } from '../shared/errors';
import { failedItem, failureHint, nodeError } from './errors';
import { ItemParameters } from './itemParameters';
import type { ItemResult, Job, Operation, Reject, Resource, RunContext } from './operation';

const MAX_CONCURRENT_JOBS = 32;
const NOTABLE_WAIT_MS = 1_000;

/**
 * Executes the chosen operation for all input items. All parameters are checked before the first request.
 * With "On Error" set to continue, a failed item has an `error`. Otherwise no job starts after the first
 * failure, and the execution ends with an error that names what was done.
 */
export async function execute(
	n8n: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[]> {
	const results: ItemResult[] = [];
	const hints = new Set<string>();
	const ledgerHints = new Set<string>();
	const signal = n8n.getExecutionCancelSignal();

	try {
		const credentialType = credentialTypeOf(n8n.getNodeParameter('authentication', 0));
		const client = await Client.connect(n8n, credentialType);
		const jobs = await plan(n8n, resources, client.credentials, (rejected) => {
			results.push(rejected);
		});
		await runJobs(jobs, contextOf(n8n, client, hints, ledgerHints), results);
		noteWait(client, hints);
	} catch (error) {
		// Errors of jobs are caught in runJobs, so no job has started.
		results.push(...itemsOf(n8n).map((item) => ({ item, error })));
	}

	signal?.throwIfAborted();
	const isFailed = hasFailure(results);
	if (isFailed && !n8n.continueOnFail()) {
		throw nodeError(n8n, results, [...ledgerHints]);
	}
	if (isFailed) {
		hints.add(failureHint(results, n8n.getInputData().length));
	}
	// n8n shows hints only beside an output.
	for (const message of [...ledgerHints, ...hints]) {
		n8n.addExecutionHints({ message, location: 'outputPane' });
	}
	return results
		.sort((one, other) => one.item.index - other.item.index)
		.map((result) =>
			result.error === undefined
				? { json: {}, ...result.output, pairedItem: { item: result.item.index } }
				: failedItem(n8n, result),
		);
}

const hasFailure = (results: ItemResult[]): boolean =>
	results.some(({ error }) => error !== undefined);

/**
 * What operations get from a node. The ledger is opened by the first operation that needs it. Its hints are kept
 * apart, since they must reach a person even if the run fails.
 */
function contextOf(
	n8n: IExecuteFunctions,
	client: Client,
	hints: Set<string>,
	ledgerHints: Set<string>,
): RunContext {
	const { credentials, environment } = client;
	const hint = (message: string): void => {
		hints.add(message);
	};
	const ledgerHint = (message: string): void => {
		ledgerHints.add(message);
	};
	let ledger: Ledger | undefined;
	return {
		n8n,
		client,
		signal: n8n.getExecutionCancelSignal(),
		hint,
		ledger: () => {
			ledger ??= openLedger(n8n, credentials, environment, ledgerHint);
			return ledger;
		},
		ledgerForPreview: async () =>
			await openLedgerForPreview(n8n, credentials, environment, ledgerHint),
	};
}

/** Runs jobs, several at a time, and adds their results. An error of a job is the result of its items. */
async function runJobs(jobs: Job[], context: RunContext, results: ItemResult[]): Promise<void> {
	const { n8n, signal } = context;
	let isFailed = hasFailure(results);
	const add = (added: ItemResult[]): void => {
		results.push(...added);
		isFailed ||= hasFailure(added);
	};
	const runJob = async ({ items, run }: Job): Promise<void> => {
		try {
			add(await run(context));
		} catch (error) {
			add(items.map((item) => ({ item, error })));
		}
	};
	const isStopped = (): boolean => signal?.aborted === true || (isFailed && !n8n.continueOnFail());
	await forEachConcurrent(jobs, MAX_CONCURRENT_JOBS, runJob, isStopped);
}

/** A slow execution looks like a broken one, so people are told why it waited. */
function noteWait({ waitTimer }: Client, hints: Set<string>): void {
	if (waitTimer.elapsedMs < NOTABLE_WAIT_MS) {
		return;
	}
	const seconds = Math.round(waitTimer.elapsedMs / 1000);
	hints.add(`This run waited ${seconds} s to keep inside the account's limit of requests.`);
}

function itemsOf(n8n: IExecuteFunctions, credentials?: IDataObject): ItemParameters[] {
	const node = n8n.getNode();
	const constants = new Map<string, unknown>();
	return n8n
		.getInputData()
		.map(({ json }, index) => new ItemParameters(n8n, index, json, node, credentials, constants));
}

async function plan(
	n8n: IExecuteFunctions,
	resources: Resource[],
	credentials: IDataObject,
	reject: Reject,
): Promise<Job[]> {
	const items = itemsOf(n8n, credentials);
	const operation = operationOf(n8n, resources);
	assertCollectionsFixed(operation.fields, n8n.getNode().parameters);
	const isRetriedByN8n = n8n.getNode().retryOnFail === true;
	if (operation.isNonIdempotent === true && isRetriedByN8n) {
		rejectRetried(items, reject);
		return [];
	}
	return await operation.plan(items, reject);
}

function rejectRetried(items: ItemParameters[], reject: Reject): void {
	const error = new InputError(
		'This operation does not run with "Retry On Fail"',
		'Turn it off in the settings of this node: n8n would run all items again, also those that worked.',
	);
	for (const item of items) {
		reject({ item, error });
	}
}

function operationOf(n8n: IExecuteFunctions, resources: Resource[]): Operation {
	const resource = n8n.getNodeParameter('resource', 0);
	const operation = n8n.getNodeParameter('operation', 0);
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found !== undefined) {
		return found;
	}
	throw new InputError(
		`There is no operation "${operation}" of "${resource}"`,
		'Choose one from the list.',
	);
}
