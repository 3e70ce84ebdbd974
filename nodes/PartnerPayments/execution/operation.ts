import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';

import type { References } from '../ledger/references';
import type { Service } from '../service/api/client';
import { InputError } from '../shared/inputError';
import type { Item } from './itemParameters';

/** What the editor shows of an operation. */
interface Face {
	name: string;
	value: string;
	/** A sentence without its subject, such as "Approve a payable". */
	action: string;
	description: string;
	/** Whether doing it again has a second effect, so that nobody may repeat it without a reference. */
	creates?: boolean;
	fields: INodeProperties[];
}

/** One item that an operation puts out. */
export interface Output {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** What came of some items: an output, an error, or an error and what is known all the same. */
export interface Done {
	items: Item[];
	output?: Output;
	error?: unknown;
}

/** What the run of a node offers to its work. */
export interface Run {
	/** The unique references of the account for one kind of request, such as "funding". */
	references: (of: string) => References;
	/** Aborts when the execution is cancelled. */
	signal: AbortSignal | undefined;
}

/** One piece of work: all that it needs is read and checked, nothing is sent yet. */
export interface Work {
	/** The input items that it is done for. */
	items: Item[];
	/** Does it, and says which of the items each output belongs to. */
	send: (service: Service, run: Run) => Promise<Done[]>;
}

/** Refuses an item before anything is sent for it; `output` is what is known of it all the same. */
export type Refuse = (item: Item, error: unknown, output?: Output) => void;

export interface Operation extends Face {
	/**
	 * Reads the parameters of the items and plans what to send for them.
	 *
	 * @param refuse called for each item whose parameters cannot be used
	 */
	plan: (items: Item[], refuse: Refuse) => Work[];
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
	send: (service: Service, input: Input, item: Item, run: Run) => Promise<Output[]>;
}): Operation {
	return {
		...face,
		plan: (items, refuse) =>
			readAll(items, read, refuse).map(({ item, input }) => ({
				items: [item],
				send: async (service, run) =>
					(await send(service, input, item, run)).map((output) => ({ output, items: [item] })),
			})),
	};
}

/**
 * An operation in which items can share a request.
 *
 * What an input names `once`, no other item may name. Items whose inputs have the same `key` go
 * together, at most as many as `most` says, and `join` makes one request of theirs, before anything
 * is sent. `send` returns one output for each of them in their order, or a single one for all.
 */
export function forManyItems<Input, Joined>({
	read,
	key,
	most = () => Infinity,
	once = () => [],
	join,
	send,
	...face
}: Face & {
	read: (item: Item) => Input;
	key: (input: Input, item: Item) => string;
	most?: (input: Input) => number;
	once?: (input: Input) => string[];
	join: (inputs: [Input, ...Input[]]) => Joined;
	send: (service: Service, joined: Joined, run: Run) => Promise<Output[]>;
}): Operation {
	return {
		...face,
		plan: (items, refuse) => {
			const entries = refuseRepeated(readAll(items, read, refuse), once, refuse);
			const groups = groupBy(entries, ({ input, item }) => key(input, item));
			return groups
				.flatMap((group) => pieces(group, Math.min(...group.map(({ input }) => most(input)))))
				.flatMap((piece) => {
					const together = piece.map(({ item }) => item);
					const [first, ...others] = piece.map(({ input }) => input);
					if (first === undefined) return [];
					try {
						const joined = join([first, ...others]);
						return {
							items: together,
							send: async (service, run) => linked(await send(service, joined, run), together),
						};
					} catch (error) {
						for (const item of together) refuse(item, error);
						return [];
					}
				});
		},
	};
}

/** Keeps the entries whose names no earlier one has. */
function refuseRepeated<Input>(
	entries: Array<Entry<Input>>,
	names: (input: Input) => string[],
	refuse: Refuse,
): Array<Entry<Input>> {
	const firstItems = new Map<string, number>();
	return entries.filter(({ item, input }) => {
		const repeated = names(input).find((name) => firstItems.has(name));
		for (const name of names(input)) firstItems.set(name, firstItems.get(name) ?? item.index);
		if (repeated === undefined) return true;
		const error = new InputError(
			`"${repeated}" is in item ${firstItems.get(repeated) ?? 0} already`,
			'Feed each one into this node once.',
		);
		refuse(item, error);
		return false;
	});
}

/** Gives each output its item, or a single one all items. */
function linked(outputs: Output[], items: Item[]): Done[] {
	return outputs.map((output, position) => ({
		output,
		items: outputs.length === items.length ? items.slice(position, position + 1) : items,
	}));
}

/** An item and what was read of it. */
export interface Entry<Input> {
	item: Item;
	input: Input;
}

/** Reads all items; those that cannot be read are refused. */
export function readAll<Input>(
	items: Item[],
	read: (item: Item) => Input,
	refuse: Refuse,
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

/** Cuts values into pieces of a size, in their order. */
export function pieces<Value>(values: Value[], size: number): Value[][] {
	const count = Math.ceil(values.length / size);
	return Array.from({ length: Math.max(count, 1) }, (_, at) =>
		size === Infinity ? values : values.slice(at * size, (at + 1) * size),
	);
}
