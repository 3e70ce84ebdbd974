import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../shared/inputError';

/** Keys that n8n keeps for a node, some 4 MB; a payout has three. Beyond it, the oldest are forgotten. */
const MOST_KEYS = 150_000;
/** Milliseconds before a write that failed is tried once more. */
const PAUSE = 50;

/** Writes keys into n8n's database, and says which of them were not there. */
type Write = (keys: string[]) => Promise<Set<string>>;

/** Keys that go into the database together. */
interface Turn {
	keys: Set<string>;
	added: Promise<Set<string>>;
	/** Milliseconds that the write took. */
	took: number;
}

/** What was added, and how long it took. */
export interface Added {
	/** Those that were not there before. */
	fresh: Set<string>;
	/** Milliseconds. */
	took: number;
}

/**
 * The set of keys that n8n keeps in its database for one node, written at once and kept over
 * executions, restarts and workers (`checkProcessedAndRecord`). n8n reads the whole set, changes it
 * and writes it back, so that two at once would undo each other: within this process everybody takes
 * turns, and all who wait for the same turn share one write.
 */
class KeySet {
	private last: Promise<unknown> = Promise.resolve();

	private waiting: Turn | undefined;

	/** Adds keys. A key that two add at once is fresh for one of them only. */
	async add(keys: string[], write: Write): Promise<Added> {
		const turn = (this.waiting ??= this.nextTurn(write));
		const own = keys.filter((key) => !turn.keys.has(key));
		for (const key of own) turn.keys.add(key);
		const added = await turn.added;
		return { fresh: new Set(own.filter((key) => added.has(key))), took: turn.took };
	}

	/** Takes keys out again. */
	async remove(keys: string[], erase: (keys: string[]) => Promise<void>): Promise<void> {
		const removed = this.last.then(async () => await erase(keys));
		this.last = removed.catch(() => undefined);
		await removed;
	}

	private nextTurn(write: Write): Turn {
		const turn: Turn = { keys: new Set(), added: Promise.resolve(new Set<string>()), took: 0 };
		turn.added = this.last.then(async () => {
			this.waiting = undefined;
			const start = Date.now();
			const added = await write([...turn.keys]);
			turn.took = Date.now() - start;
			return added;
		});
		this.last = turn.added.catch(() => undefined);
		return turn;
	}
}

const sets = new Map<string, KeySet>();

/** The keys of one node, as an execution reaches them. */
export interface Keys {
	/** Adds keys to the set; says which were new to it. */
	add(keys: string[]): Promise<Added>;
	/** Takes keys out of the set. */
	remove(keys: string[]): Promise<void>;
}

/**
 * The keys of the node that an execution runs.
 *
 * @param scope goes before each key: what the keys of another scope say does not count
 * @throws InputError when the workflow was never saved, so that n8n could keep nothing for it
 */
export function keysOf(context: IExecuteFunctions, scope: string): Keys {
	const name = nodeName(context);
	const set = sets.get(name) ?? new KeySet();
	sets.set(name, set);
	const options = { mode: 'entries' as const, maxEntries: MOST_KEYS };
	const write: Write = async (keys) => {
		const { new: fresh } = await context.helpers.checkProcessedAndRecord(keys, 'node', options);
		return new Set(fresh.map(String));
	};
	// The first write of a node fails when another worker makes its row at the same moment.
	const writeOrRetry: Write = async (keys) =>
		await write(keys).catch(async () => {
			await sleep(PAUSE);
			return await write(keys);
		});
	const scoped = (key: string): string => `${scope} ${key}`;
	return {
		add: async (keys) => {
			if (keys.length === 0) return { fresh: new Set(), took: 0 };
			const { fresh, took } = await set.add(keys.map(scoped), writeOrRetry);
			return { fresh: new Set(keys.filter((key) => fresh.has(scoped(key)))), took };
		},
		remove: async (keys) => {
			if (keys.length === 0) return;
			await set.remove(keys.map(scoped), async (all) => {
				await context.helpers.removeProcessed(all, 'node', options);
			});
		},
	};
}

/** What tells a node from all others of this n8n, whatever it is renamed to. */
export function nodeName(context: IExecuteFunctions): string {
	const { id: workflow } = context.getWorkflow();
	if (!workflow) {
		throw new InputError(
			'A unique reference needs a workflow that was saved',
			'Save the workflow, then run it again: its references are remembered with it.',
		);
	}
	return `${workflow} ${context.getNode().id}`;
}
