import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../shared/inputError';

/** Keys that n8n keeps for a node, some 4 MB; a payout has three. Beyond it, the oldest are forgotten. */
const MAX_KEYS = 150_000;
const RETRY_DELAY_MS = 50;

/** Writes keys into n8n's database, and says which of them were not there. */
type Write = (keys: string[]) => Promise<Set<string>>;

/** Keys that are written into the database together. */
interface PendingWrite {
	keys: Set<string>;
	added: Promise<Set<string>>;
	durationMs: number;
}

/** What a write has added. */
interface WriteResult {
	/** The keys that were not there before. */
	added: Set<string>;
	durationMs: number;
}

/**
 * The set of keys that n8n keeps in its database for one node, written at once and kept over
 * executions, restarts and workers (`checkProcessedAndRecord`). n8n reads the whole set, changes it
 * and writes it back, so that two writes at once would undo each other: within this process they are
 * made one after the other, and all who wait for the same one share it.
 */
class KeySet {
	private lastWrite: Promise<unknown> = Promise.resolve();

	private pending: PendingWrite | undefined;

	/** Adds keys. A key that two add at once is new for one of them only. */
	async add(keys: string[], write: Write): Promise<WriteResult> {
		const pending = (this.pending ??= this.schedule(write));
		const own = keys.filter((key) => !pending.keys.has(key));
		for (const key of own) pending.keys.add(key);
		const added = await pending.added;
		return {
			added: new Set(own.filter((key) => added.has(key))),
			durationMs: pending.durationMs,
		};
	}

	async remove(keys: string[], erase: (keys: string[]) => Promise<void>): Promise<void> {
		const removed = this.lastWrite.then(async () => await erase(keys));
		this.lastWrite = removed.catch(() => undefined);
		await removed;
	}

	private schedule(write: Write): PendingWrite {
		const pending: PendingWrite = {
			keys: new Set(),
			added: Promise.resolve(new Set<string>()),
			durationMs: 0,
		};
		pending.added = this.lastWrite.then(async () => {
			this.pending = undefined;
			const startedAt = Date.now();
			const added = await write([...pending.keys]);
			pending.durationMs = Date.now() - startedAt;
			return added;
		});
		this.lastWrite = pending.added.catch(() => undefined);
		return pending;
	}
}

const setsByNode = new Map<string, KeySet>();

/** The keys of one node, as an execution reaches them. */
export interface KeyStore {
	/** Adds keys to the set; says which were new to it. */
	add(keys: string[]): Promise<WriteResult>;
	remove(keys: string[]): Promise<void>;
}

/**
 * The keys of the node that is executed.
 *
 * @param scope goes before each key: keys of another scope are others
 * @throws InputError when the workflow was never saved, so that n8n could keep nothing for it
 */
export function keyStoreOf(n8n: IExecuteFunctions, scope: string): KeyStore {
	const node = nodeIdentity(n8n);
	const set = setsByNode.get(node) ?? new KeySet();
	setsByNode.set(node, set);
	const options = { mode: 'entries' as const, maxEntries: MAX_KEYS };
	const write: Write = async (keys) => {
		const record = async () => await n8n.helpers.checkProcessedAndRecord(keys, 'node', options);
		// The first write of a node fails when another worker makes its row at the same moment.
		const recorded = await record().catch(async () => {
			await sleep(RETRY_DELAY_MS);
			return await record();
		});
		return new Set(recorded.new.map(String));
	};
	const scoped = (key: string): string => `${scope} ${key}`;
	return {
		add: async (keys) => {
			if (keys.length === 0) return { added: new Set(), durationMs: 0 };
			const { added, durationMs } = await set.add(keys.map(scoped), write);
			return { added: new Set(keys.filter((key) => added.has(scoped(key)))), durationMs };
		},
		remove: async (keys) => {
			if (keys.length === 0) return;
			await set.remove(keys.map(scoped), async (all) => {
				await n8n.helpers.removeProcessed(all, 'node', options);
			});
		},
	};
}

/** What tells a node from all others of this n8n, whatever it is renamed to. */
export function nodeIdentity(n8n: IExecuteFunctions): string {
	const { id: workflow } = n8n.getWorkflow();
	if (!workflow) {
		throw new InputError(
			'A unique reference needs a workflow that was saved',
			'Save the workflow, then run it again: its references are remembered with it.',
		);
	}
	return `${workflow} ${n8n.getNode().id}`;
}
