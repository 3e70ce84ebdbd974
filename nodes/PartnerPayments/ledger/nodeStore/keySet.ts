import { sleep } from 'n8n-workflow';

import { withMutex } from '../../shared/concurrency';
import { chunk } from '../../shared/lists';
import { keyMutex, withRetries, type LedgerHost } from './host';
import { SharedRowError, withProcessLock } from './processLock';

/** n8n's search for a key that it removes is linear: 20 ms, in which all else waits, for so many comparisons. */
const COMPARISONS_PER_REMOVAL = 1_500_000;
/** So many at once are never too many. */
const MIN_KEYS_PER_REMOVAL = 25;

/** Keys to add to a set or to look for, and what is then to be removed. */
interface KeyChange {
	add?: string[];
	/** n8n says whether they are there by adding them, for a moment. */
	look?: string[];
	remove?: (added: Set<string>, absent: Set<string>) => string[];
}

/** How a change of the set went. */
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

/**
 * The keys that n8n keeps in its database for one node, over executions, restarts and processes. n8n
 * reads all of them, changes them and writes them back, so that two at once would undo each other's
 * changes: so each change has the mutex of the process and the lock between processes.
 */
export class KeySet {
	private readonly options: { mode: 'entries'; maxEntries: number };

	/** @param maxEntries beyond it, n8n forgets the oldest; always the same for a node */
	constructor(
		private readonly n8n: LedgerHost,
		maxEntries: number,
	) {
		this.options = { mode: 'entries', maxEntries };
	}

	/** How many keys there are. */
	async count(): Promise<number> {
		return await withRetries(
			async () => await this.n8n.helpers.getProcessedDataCount('node', this.options),
		);
	}

	/**
	 * Changes the set. A key that two add at once is new for one of them only.
	 *
	 * @throws LedgerError when the database fails again and again, or has no place for the lock
	 */
	async change(change: KeyChange): Promise<KeyResult> {
		return await withMutex([keyMutex(this.n8n)], async () => {
			const transact = async () => await this.transact(change);
			const { result, isCertain } = await withProcessLock(this.n8n, transact);
			return { ...result, isCertain };
		});
	}

	/**
	 * Changes the set also where n8n's Remove Duplicates node has the row of the lock: no payment is kept
	 * in the set there, since those need the lock.
	 */
	async changeAnyway(change: KeyChange): Promise<KeyResult> {
		return await this.change(change).catch(async (error: unknown) => {
			if (!(error instanceof SharedRowError)) throw error;
			const transact = async () => await this.transact(change);
			return { ...(await withMutex([keyMutex(this.n8n)], transact)), isCertain: true };
		});
	}

	private async transact({
		add = [],
		look = [],
		remove = () => [],
	}: KeyChange): Promise<Omit<KeyResult, 'isCertain'>> {
		const unclaimed = await this.add([...new Set([...add, ...look])]);
		const added = new Set(add.filter((key) => unclaimed.has(key)));
		const absent = new Set(look.filter((key) => unclaimed.has(key)));
		const looked = [...absent].filter((key) => !added.has(key));
		const isRemoved = await this.remove([...looked, ...remove(added, absent)]);
		return { added, absent, isRemoved };
	}

	private async add(keys: string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const recorded = await withRetries(
			async () => await this.n8n.helpers.checkProcessedAndRecord(keys, 'node', this.options),
		);
		return new Set(recorded.new.map(String));
	}

	/** Removes keys piece by piece; returns whether all of them are removed. */
	private async remove(keys: string[]): Promise<boolean> {
		if (keys.length === 0) return true;
		const removeAll = async (): Promise<void> => {
			const isSmall = keys.length <= MIN_KEYS_PER_REMOVAL;
			const perRemoval = isSmall ? 0 : Math.floor(COMPARISONS_PER_REMOVAL / (await this.count()));
			for (const piece of chunk(keys, Math.max(MIN_KEYS_PER_REMOVAL, perRemoval))) {
				await withRetries(async () => {
					await this.n8n.helpers.removeProcessed(piece, 'node', this.options);
				});
				await sleep(0);
			}
		};
		return await removeAll().then(
			() => true,
			() => false,
		);
	}
}
