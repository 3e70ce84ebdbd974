import {
	deepCopy,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import type { Ledger } from '../ledger/ledger';
import type { Client } from '../api/client';
import { choiceField, withWrittenCollections } from '../shared/fields';
import { groupBy } from '../shared/lists';
import type { ItemParameters } from './itemParameters';

/** How long reading items may block this process. */
const MAX_BLOCKING_MS = 20;

export interface Operation {
	name: string;
	value: string;
	/** In n8n's list of actions, without articles, such as "Approve payable". */
	action: string;
	description: string;
	/** Whether it has a second effect when n8n repeats it. */
	isNonIdempotent?: boolean;
	fields: INodeProperties[];
	/** Reads the items and plans what to send for them; rejects each that cannot be used. */
	plan: (items: ItemParameters[], reject: Reject) => Promise<Job[]>;
}

export type Output = Pick<INodeExecutionData, 'json' | 'binary'>;

export interface ItemResult {
	item: ItemParameters;
	output?: Output;
	error?: unknown;
}

/** What one execution of the node shares among its jobs. */
export interface RunContext {
	n8n: IExecuteFunctions;
	client: Client;
	/** The ledger of the run. Throws a LedgerError when it cannot be used. */
	ledger: () => Ledger;
	/** The same for a run that only looks: it makes no table. Throws a LedgerError when it cannot be used. */
	ledgerForPreview: () => Promise<Ledger>;
	/** Shows a message above the output, once. */
	hint: (message: string) => void;
	signal: AbortSignal | undefined;
}

/** Work for items that were read and checked. */
export interface Job {
	items: ItemParameters[];
	run: (context: RunContext) => Promise<ItemResult[]>;
}

/** Rejects an item before anything is sent for it. */
export type Reject = (result: ItemResult) => void;

export interface Resource {
	name: string;
	value: string;
	/** The editor starts with the first one. */
	operations: Operation[];
}

/** An operation that treats each item on its own. */
export function itemOperation<Input>({
	read,
	run,
	...description
}: Omit<Operation, 'plan'> & {
	read: (item: ItemParameters) => Input;
	run: (context: RunContext, input: Input, item: ItemParameters) => Promise<Output[]>;
}): Operation {
	return {
		...description,
		plan: async (items, reject) => {
			const readItems = await readAll(items, read, reject);
			return readItems.map(({ item, input }) => ({
				items: [item],
				run: async (context) => {
					const outputs = await run(context, input, item);
					return outputs.map((output) => ({ item, output }));
				},
			}));
		},
	};
}

/** An operation that only looks: all items that ask for the same get it from one request. */
export function lookUpOperation<Input>({
	read,
	run,
	...description
}: Omit<Operation, 'plan'> & {
	read: (item: ItemParameters) => Input;
	run: (context: RunContext, input: Input) => Promise<Output[]>;
}): Operation {
	return {
		...description,
		plan: async (items, reject) => {
			const readItems = await readAll(items, read, reject);
			const alike = groupBy(readItems, ({ input }) => JSON.stringify([input]));
			return alike.map((group) => ({
				items: group.map(({ item }) => item),
				run: async (context) => {
					const outputs = await run(context, group[0].input);
					return group.flatMap(({ item }) =>
						outputs.map((output) => ({ item, output: deepCopy(output) })),
					);
				},
			}));
		},
	};
}

/** An input item, and what an operation has read of its parameters. */
export interface ReadItem<Input> {
	item: ItemParameters;
	input: Input;
}

export async function readAll<Input>(
	items: ItemParameters[],
	read: (item: ItemParameters) => Input,
	reject: Reject,
): Promise<Array<ReadItem<Input>>> {
	const readItems: Array<ReadItem<Input>> = [];
	let startedAt = Date.now();
	for (const item of items) {
		if (Date.now() - startedAt >= MAX_BLOCKING_MS) {
			await sleep(0);
			startedAt = Date.now();
		}
		try {
			readItems.push({ item, input: read(item) });
		} catch (error) {
			reject({ item, error });
		}
	}
	return readItems;
}

/** The properties of the node: the two selectors, and each operation's fields, shown for it alone. */
export function resourceProperties(resources: Resource[]): INodeProperties[] {
	const options = resources.map(({ name, value }) => ({ name, value }));
	return [
		choiceField('Resource', 'resource', { options, default: 'payout', noDataExpression: true }),
		...resources.flatMap(operationProperties),
	];
}

function operationProperties({ value, operations }: Resource): INodeProperties[] {
	const resource = [value];
	const options = operations.map(({ name, value, action, description }) => {
		return { name, value, action, description };
	});
	return [
		choiceField('Operation', 'operation', {
			options,
			default: operations[0]?.value,
			noDataExpression: true,
			displayOptions: { show: { resource } },
		}),
		...operations.flatMap(({ value: operation, fields }) =>
			withWrittenCollections(fields).map((field) => ({
				...field,
				displayOptions: {
					...field.displayOptions,
					show: { resource, operation: [operation], ...field.displayOptions?.show },
				},
			})),
		),
	];
}
