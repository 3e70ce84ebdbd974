import type {
	IBinaryKeyData,
	IDataObject,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Service } from '../service/service';
import type { Item } from './item';

/** What the editor shows of an operation. */
interface Face {
	name: string;
	value: string;
	/** A sentence without its subject, such as "Approve a payable". */
	action: string;
	description: string;
	fields: INodeProperties[];
}

/** One item that an operation puts out. */
export interface Output {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** One piece of work: all that it needs is read and checked, nothing is sent yet. */
export interface Work {
	/** The input items that it is done for. */
	items: Item[];
	/** Does it, and says which of the items each output belongs to. */
	send: (service: Service) => Promise<Array<{ output: Output; items: Item[] }>>;
}

export interface Operation extends Face {
	/**
	 * Reads the parameters of the items and plans what to send for them.
	 *
	 * @param refuse called for each item whose parameters cannot be used
	 */
	plan: (items: Item[], refuse: (item: Item, error: unknown) => void) => Work[];
}

/** A resource: the operations that belong together in the editor. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/**
 * An operation that does its work for each item alone: `read` takes the item's parameters, `send`
 * does the work and returns what comes out of it.
 */
export function forEachItem<Input>({
	read,
	send,
	...face
}: Face & {
	read: (item: Item) => Input;
	send: (service: Service, input: Input, item: Item) => Promise<Output[]>;
}): Operation {
	return {
		...face,
		plan: (items, refuse) =>
			readAll(items, read, refuse).map(({ item, input }) => ({
				items: [item],
				send: async (service) =>
					(await send(service, input, item)).map((output) => ({ output, items: [item] })),
			})),
	};
}

/**
 * An operation in which items can share a request. Items whose inputs have the same `key` go
 * together, at most as many as `most` says. `send` returns one output for each of them in their
 * order, or a single one that belongs to all.
 */
export function forManyItems<Input>({
	read,
	key,
	most = () => Infinity,
	send,
	...face
}: Face & {
	read: (item: Item) => Input;
	key: (input: Input, item: Item) => string;
	most?: (input: Input) => number;
	send: (service: Service, inputs: Input[]) => Promise<Output[]>;
}): Operation {
	return {
		...face,
		plan: (items, refuse) => {
			const groups = groupBy(readAll(items, read, refuse), ({ input, item }) => key(input, item));
			return groups
				.flatMap((group) => pieces(group, Math.min(...group.map(({ input }) => most(input)))))
				.map((entries) => ({
					items: entries.map(({ item }) => item),
					send: async (service) => {
						const outputs = await send(
							service,
							entries.map(({ input }) => input),
						);
						return outputs.map((output, position) => ({
							output,
							items: (outputs.length === entries.length
								? entries.slice(position, position + 1)
								: entries
							).map(({ item }) => item),
						}));
					},
				}));
		},
	};
}

/** The properties of the node: the two selectors, and each operation's fields, shown for it alone. */
export function resourceProperties(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: 'payable',
		},
		...resources.flatMap(operationProperties),
	];
}

function operationProperties({ value: resource, operations }: Resource): INodeProperties[] {
	const initial = operations[0]?.value ?? '';
	const options: INodePropertyOptions[] = operations.map(
		({ name, value, action, description }) => ({ name, value, action, description }),
	);
	return [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options,
			default: initial,
		},
		...operations.flatMap(({ value: operation, fields }) =>
			fields.map((field) => ({
				...field,
				displayOptions: {
					...field.displayOptions,
					show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
				},
			})),
		),
	];
}

interface Entry<Input> {
	item: Item;
	input: Input;
}

function readAll<Input>(
	items: Item[],
	read: (item: Item) => Input,
	refuse: (item: Item, error: unknown) => void,
): Array<Entry<Input>> {
	return items.flatMap((item) => {
		try {
			return { item, input: read(item) };
		} catch (error) {
			refuse(item, error);
			return [];
		}
	});
}

/** Puts values with the same key together, in the order of their first one. */
export function groupBy<Value>(values: Value[], key: (value: Value) => string): Value[][] {
	const groups = new Map<string, Value[]>();
	for (const value of values) {
		const group = groups.get(key(value)) ?? [];
		group.push(value);
		groups.set(key(value), group);
	}
	return [...groups.values()];
}

function pieces<Value>(values: Value[], size: number): Value[][] {
	const count = Math.ceil(values.length / size);
	return Array.from({ length: Math.max(count, 1) }, (_, at) =>
		size === Infinity ? values : values.slice(at * size, (at + 1) * size),
	);
}
