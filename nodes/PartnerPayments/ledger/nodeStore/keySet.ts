import { sleep } from 'n8n-workflow';

import { withMutex } from '../../shared/concurrency';
import { keyMutex, MAX_KEYS, nodeIdentity, withRetries, type LedgerHost } from './host';
import { SharedRowError, withProcessLock } from './processLock';

/**
 * n8n's search for a key that it removes is linear, and holds up everything else meanwhile: 20 ms for so
 * many keys that are compared.
 */
const COMPARISONS_PER_REMOVAL = 1_500_000;
/** So many at once are never too many. */
const MIN_KEYS_PER_REMOVAL = COMPARISONS_PER_REMOVAL / MAX_KEYS;
/** Changes share a transaction up to so many keys, so that it does not have the lock for long. */
const MAX_SHARED_KEYS = 400;

/** Keys to add to a set, and what is to be removed once it is known which of them were new. */
interface KeyChange {
	add: string[];
	/** Keys of which it is asked whether they are there; n8n tells that by adding them, for a moment. */
	look?: string[];
	remove: (added: Set<string>, absent: Set<string>) => string[];
	/** Whether the removal may be made up for later, when others may have added the same keys. */
	isRemovalDeferrable?: boolean;
}

/** What a change of the set came to. */
interface KeyResult {
	/** The keys that were not there before. */
	added: Set<string>;
	/** The keys that were looked for, and are not there. */
	absent: Set<string>;
	/** Whether all that was to be removed is removed. */
	isRemoved: boolean;
	/** Whether no other process can have undone it. */
	isCertain: boolean;
}

const NO_KEYS = { added: new Set<string>(), absent: new Set<string>() };

/** Changes that are made in one transaction. */
interface Batch {
	changes: KeyChange[];
	size: number;
	results: Promise<Map<KeyChange, KeyResult>>;
}

/**
 * The keys that n8n keeps in its database for one node, over executions, restarts and processes. n8n
 * reads all of them, changes them and writes them back, so that two at once would undo each other's
 * changes: so each transaction has the lock between processes, and all changes that wait for it
 * in this process share one.
 */
export class KeySet {
	private pending: Batch | undefined;
	/** What could not be removed, and is removed by the next transaction. */
	private readonly leftovers = new Set<string>();
	private readonly options: { mode: 'entries'; maxEntries: number };

	/** @param maxKeys beyond it, n8n forgets the oldest */
	constructor(maxKeys: number) {
		this.options = { mode: 'entries', maxEntries: maxKeys };
	}

	/**
	 * Changes the set. A key that two add at once is new for one of them only.
	 *
	 * @throws LedgerError when the database fails again and again, or has no place for the lock
	 */
	async change(n8n: LedgerHost, change: KeyChange): Promise<KeyResult> {
		const { add, look = [], remove } = change;
		const size = add.length + look.length || remove(new Set(), new Set()).length;
		if (size === 0) return { ...NO_KEYS, isRemoved: true, isCertain: true };
		if (this.pending === undefined || this.pending.size + size > MAX_SHARED_KEYS) {
			this.pending = this.start(n8n);
		}
		const batch = this.pending;
		batch.changes.push(change);
		batch.size += size;
		const results = await batch.results;
		return results.get(change) ?? { ...NO_KEYS, isRemoved: false, isCertain: false };
	}

	/**
	 * Changes the set also where n8n's Remove Duplicates node has the row of the lock: no payment is kept
	 * in the set there, since those need the lock.
	 */
	async changeAnyway(n8n: LedgerHost, change: KeyChange): Promise<KeyResult> {
		return await this.change(n8n, change).catch(async (error: unknown) => {
			if (!(error instanceof SharedRowError)) throw error;
			const work = async () => await this.transact(n8n, [change]);
			const found = (await withMutex([keyMutex(n8n)], work)).get(change);
			return { ...NO_KEYS, isRemoved: false, ...found, isCertain: true };
		});
	}

	/** Removes keys that nobody depends on, now or, should that fail, by the next transaction. */
	async forget(n8n: LedgerHost, keys: string[]): Promise<void> {
		const change: KeyChange = { add: [], remove: () => keys, isRemovalDeferrable: true };
		await this.change(n8n, change).catch(() => {
			for (const key of keys) this.leftovers.add(key);
		});
	}

	private start(n8n: LedgerHost): Batch {
		const batch: Batch = {
			changes: [],
			size: 0,
			results: Promise.resolve(new Map<KeyChange, KeyResult>()),
		};
		const close = (): void => {
			if (this.pending === batch) this.pending = undefined;
		};
		batch.results = withMutex([keyMutex(n8n)], async () => {
			const { result, isCertain } = await withProcessLock(n8n, async () => {
				close();
				return await this.transact(n8n, batch.changes);
			});
			return new Map([...result].map(([change, known]) => [change, { ...known, isCertain }]));
		}).finally(close);
		return batch;
	}

	/** Makes changes while no other process does. */
	private async transact(
		n8n: LedgerHost,
		changes: KeyChange[],
	): Promise<Map<KeyChange, Omit<KeyResult, 'isCertain'>>> {
		for (const key of await this.remove(n8n, [...this.leftovers])) this.leftovers.add(key);
		const asked = changes.flatMap(({ add, look = [] }) => [...add, ...look]);
		const unclaimed = await this.add(n8n, [...new Set(asked)]);
		const absent = new Set(unclaimed);
		const made = changes.map((change) => {
			const added = new Set(change.add.filter((key) => unclaimed.delete(key)));
			const missed = new Set(change.look?.filter((key) => absent.has(key)));
			return { change, added, absent: missed, removed: change.remove(added, missed) };
		});
		// What nobody has added was only looked for.
		const remaining = await this.remove(n8n, [
			...unclaimed,
			...made.flatMap(({ removed }) => removed),
		]);
		for (const { change, removed } of made) {
			if (change.isRemovalDeferrable !== true) continue;
			for (const key of removed) if (remaining.has(key)) this.leftovers.add(key);
		}
		return new Map(
			made.map(({ change, removed, ...found }) => [
				change,
				{ ...found, isRemoved: !removed.some((key) => remaining.has(key)) },
			]),
		);
	}

	private async add(n8n: LedgerHost, keys: string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const recorded = await withRetries(
			async () => await n8n.helpers.checkProcessedAndRecord(keys, 'node', this.options),
		);
		return new Set(recorded.new.map(String));
	}

	/** Removes keys piece by piece; returns those that could not be removed. */
	private async remove(n8n: LedgerHost, keys: string[]): Promise<Set<string>> {
		const length =
			keys.length > MIN_KEYS_PER_REMOVAL ? await this.keysPerRemoval(n8n) : keys.length;
		for (let start = 0; start < keys.length; start += length) {
			const piece = keys.slice(start, start + length);
			try {
				await withRetries(async () => {
					await n8n.helpers.removeProcessed(piece, 'node', this.options);
				});
			} catch {
				return new Set(keys.slice(start));
			}
			for (const key of piece) this.leftovers.delete(key);
			await sleep(0);
		}
		return new Set();
	}

	private async keysPerRemoval(n8n: LedgerHost): Promise<number> {
		const count = await n8n.helpers
			.getProcessedDataCount('node', this.options)
			.catch(() => MAX_KEYS);
		return Math.max(MIN_KEYS_PER_REMOVAL, Math.floor(COMPARISONS_PER_REMOVAL / (count + 1)));
	}
}

const setsByNode = new Map<string, KeySet>();

/**
 * The keys of a node, as all executions of this process share them.
 *
 * @param maxKeys always the same for a node
 */
export function keySetOf(n8n: LedgerHost, maxKeys = MAX_KEYS): KeySet {
	const node = nodeIdentity(n8n);
	const set = setsByNode.get(node) ?? new KeySet(maxKeys);
	setsByNode.set(node, set);
	return set;
}
