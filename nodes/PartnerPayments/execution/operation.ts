import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';

import type { LedgerTable } from '../ledger/dataTable/ledgerTable';
import type { Claim, Ledger, LedgerKind } from '../ledger/ledger';
import type { Client } from '../service/api/client';
import { InputError } from '../shared/inputError';
import { mapYielding } from '../shared/concurrency';
import { chunk, groupBy } from '../shared/lists';
import type { ItemParameters } from './itemParameters';
import { rejectShared } from './sharedReferences';

/** What the editor shows of an operation. */
interface OperationDescription {
	name: string;
	value: string;
	/** What n8n lists it as, without articles, such as "Approve payable". */
	action: string;
	description: string;
	/** Whether doing it again has a second effect, so that nobody may repeat it without a reference. */
	isNonIdempotent?: boolean;
	fields: INodeProperties[];
}

/** One item that an operation puts out. */
export interface Output {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** The result of some items: an output, an error, or an error and what is known all the same. */
export interface ItemResult {
	items: ItemParameters[];
	output?: Output;
	error?: unknown;
}

/** What one execution of the node shares among its jobs. */
export interface RunContext {
	client: Client;
	/** What is known of the unique references for one kind of requests. */
	ledger: (kind: LedgerKind) => Promise<Ledger>;
	/** The data table that remembers references, to read and to settle. */
	ledgerTable: () => Promise<LedgerTable>;
	/** Tells whoever looks at the output something, once however often it is said. */
	hint: (message: string) => void;
	/** Aborts when the execution is cancelled. */
	signal: AbortSignal | undefined;
}

/** A piece of work for which everything is read and checked, and nothing is sent yet. */
export interface Job {
	items: ItemParameters[];
	/** Sends what is to be sent. */
	execute: (context: RunContext) => Promise<ItemResult[]>;
}

/** Rejects an item before anything is sent for it; `output` is what is known of it all the same. */
export type Reject = (item: ItemParameters, error: unknown, output?: Output) => void;

/** What the node can do with its items. */
export interface Operation extends OperationDescription {
	/**
	 * Reads the parameters of the items and plans what to send for them.
	 *
	 * @param reject called for each item whose parameters cannot be used
	 */
	plan: (items: ItemParameters[], reject: Reject) => Promise<Job[]>;
}

/** A resource: the operations that belong together in the editor. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
	/** The operation that the editor starts with, where that is not the first one. */
	initial?: string;
}

/**
 * An operation that treats each item on its own: `read` takes the item's parameters, `send` does the
 * work and returns what comes out of it. `claimOf` says what an item's unique reference stands for.
 */
export function itemOperation<Input>({
	read,
	claimOf = () => undefined,
	send,
	...description
}: OperationDescription & {
	read: (item: ItemParameters) => Input;
	claimOf?: (input: Input) => Claim | undefined;
	send: (context: RunContext, input: Input, item: ItemParameters) => Promise<Output[]>;
}): Operation {
	return {
		...description,
		plan: async (items, reject) => {
			const entries = await readAll(items, read, claimOf, reject);
			return entries.map(({ item, input }) => ({
				items: [item],
				execute: async (context) =>
					(await send(context, input, item)).map((output) => ({ output, items: [item] })),
			}));
		},
	};
}

/**
 * An operation in which items can share a request.
 *
 * An ID that `uniqueIds` names for one item, no other item may name. Items with the same `batchKey`
 * form batches of at most `maxBatchSize`, and `merge` makes one input of each batch, before anything
 * is sent. `send` returns one output for each item of the batch in their order, or a single one for
 * all.
 */
export function batchOperation<Input, Merged>({
	read,
	claimOf = () => undefined,
	batchKey,
	maxBatchSize = () => Infinity,
	uniqueIds = () => [],
	merge,
	send,
	...description
}: OperationDescription & {
	read: (item: ItemParameters) => Input;
	claimOf?: (input: Input) => Claim | undefined;
	batchKey: (input: Input, item: ItemParameters) => string;
	maxBatchSize?: (input: Input) => number;
	uniqueIds?: (input: Input) => string[];
	merge: (inputs: [Input, ...Input[]]) => Merged;
	send: (context: RunContext, merged: Merged) => Promise<Output[]>;
}): Operation {
	const jobOf = (batch: Array<Entry<Input>>, reject: Reject): Job | [] => {
		const items = batch.map(({ item }) => item);
		const [first, ...others] = batch.map(({ input }) => input);
		if (first === undefined) return [];
		try {
			const merged = merge([first, ...others]);
			return {
				items,
				execute: async (context) => resultsOf(await send(context, merged), items),
			};
		} catch (error) {
			for (const item of items) reject(item, error);
			return [];
		}
	};
	return {
		...description,
		plan: async (items, reject) => {
			const all = await readAll(items, read, claimOf, reject);
			const entries = rejectRepeated(all, uniqueIds, reject);
			return groupBy(entries, ({ input, item }) => batchKey(input, item))
				.flatMap((group) =>
					chunk(group, Math.min(...group.map(({ input }) => maxBatchSize(input)))),
				)
				.flatMap((batch) => jobOf(batch, reject));
		},
	};
}

/** Keeps the entries of which no earlier one names an ID. */
function rejectRepeated<Input>(
	entries: Array<Entry<Input>>,
	uniqueIds: (input: Input) => string[],
	reject: Reject,
): Array<Entry<Input>> {
	const firstItems = new Map<string, number>();
	return entries.filter(({ item, input }) => {
		const ids = uniqueIds(input);
		const repeated = ids.find((id) => firstItems.has(id));
		for (const id of ids) firstItems.set(id, firstItems.get(id) ?? item.index);
		if (repeated === undefined) return true;
		const message = `"${repeated}" is in item ${firstItems.get(repeated) ?? 0} already`;
		reject(item, new InputError(message, 'Feed each one into this node once.'));
		return false;
	});
}

/** Links each output to its item, or a single one to all items. */
function resultsOf(outputs: Output[], items: ItemParameters[]): ItemResult[] {
	return outputs.map((output, position) => ({
		output,
		items: outputs.length === items.length ? items.slice(position, position + 1) : items,
	}));
}

/** An item and what was read of it. */
export interface Entry<Input> {
	item: ItemParameters;
	input: Input;
}

/** Reads all items; rejects those that cannot be read, and those whose reference others use as well. */
export async function readAll<Input>(
	items: ItemParameters[],
	read: (item: ItemParameters) => Input,
	claimOf: (input: Input) => Claim | undefined,
	reject: Reject,
): Promise<Array<Entry<Input>>> {
	const unread: ItemParameters[] = [];
	const entries = await mapYielding(items, (item) => {
		try {
			return { item, input: read(item) };
		} catch (error) {
			unread.push(item);
			reject(item, error);
			return undefined;
		}
	});
	return rejectShared(
		entries.filter((entry) => entry !== undefined),
		unread,
		claimOf,
		reject,
	);
}
