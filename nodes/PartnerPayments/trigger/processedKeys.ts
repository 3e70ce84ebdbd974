import { sleep, type DeduplicationHelperFunctions, type IExecuteFunctions } from 'n8n-workflow';

import { withMutex } from '../shared/concurrency';
import { withRetries } from '../shared/retries';

/*
 * Which execution has which event, where several processes of n8n receive events: keys in n8n's store for
 * the node. Payments do not rely on it; a claim that cannot be kept lets an event run twice at worst.
 */

export interface ClaimHost extends Pick<
	IExecuteFunctions,
	'getNode' | 'getParentNodes' | 'getWorkflow' | 'getWorkflowStaticData'
> {
	helpers: DeduplicationHelperFunctions;
}

interface KeyChange {
	add: string[];
	/** Chooses what is removed, by the keys that were absent. */
	remove: (absent: Set<string>) => string[];
}

/** The keys that n8n stores for one node. n8n reads, changes and writes all of them, so each change needs the lock. */
export class ProcessedKeys {
	private readonly options: { mode: 'entries'; maxEntries: number };

	/** @param maxEntries beyond this, n8n forgets the oldest; must stay the same for a node */
	constructor(
		private readonly n8n: ClaimHost,
		maxEntries: number,
	) {
		this.options = { mode: 'entries', maxEntries };
	}

	/** Adds keys, and removes some of them again. Returns those that were absent. Throws when n8n's database fails. */
	async change({ add, remove }: KeyChange): Promise<Set<string>> {
		const keys = [...new Set(add)];
		const { helpers } = this.n8n;
		return await withLock(this.n8n, async () => {
			const recorded = await withRetries(
				async () => await helpers.checkProcessedAndRecord(keys, 'node', this.options),
			);
			const absent = new Set(recorded.new.map(String));
			const removed = remove(absent);
			if (removed.length > 0) {
				await withRetries(async () => {
					await helpers.removeProcessed(removed, 'node', this.options);
				});
			}
			return absent;
		});
	}
}

const LOCK_KEY = 'the lock of Partner Payments';
const LOCK_OPTIONS = { mode: 'entries' as const };

const MIN_POLL_MS = 4;
const MAX_POLL_MS = 24;
/** A lock that stays for this time belongs to a process that has died. */
const DEAD_AFTER_MS = 15_000;
/** The most that one interval counts, since this process may have stopped for a while. */
const MAX_COUNTED_MS = 250;
/** After this time, another process may assume that this one has died. */
const MAX_HELD_MS = 10_000;
const MAX_PAUSE_AFTER_BREAK_MS = 500;
const MAX_WAIT_MS = 60_000;

/**
 * Does work under a lock. Across processes, it is the row that n8n keeps for the whole workflow: n8n inserts
 * it, which succeeds for one process, and that process deletes it. Its content never changes, so that a late
 * write does no harm, and it is never emptied, since an empty row looks free.
 */
async function withLock<Result>(n8n: ClaimHost, work: () => Promise<Result>): Promise<Result> {
	return await withMutex([`events ${n8n.getWorkflow().id ?? ''}`], async () => {
		const acquiredAt = await acquire(n8n);
		const hasLock = (): boolean => Date.now() - acquiredAt < MAX_HELD_MS;
		const release = async (): Promise<void> => {
			if ((await countEntries(n8n)) === 1 && hasLock()) {
				await clear(n8n);
			}
		};
		// Repeated at once, if at all: later, a deletion that only seemed to fail could delete the row
		// of another process.
		const result = await work().finally(async () => {
			await release()
				.catch(release)
				.catch(release)
				.catch(() => undefined);
		});
		if (!hasLock()) {
			throw new Error('This process stopped for a while');
		}
		return result;
	});
}

/** Waits for the lock; returns when it was taken, in milliseconds since 1970. */
async function acquire(n8n: ClaimHost): Promise<number> {
	const startedAt = Date.now();
	let heldMs = 0;
	while (Date.now() - startedAt < MAX_WAIT_MS) {
		const polledAt = Date.now();
		const isDead = heldMs > DEAD_AFTER_MS;
		if ((await countEntries(n8n)) === 0 || isDead) {
			heldMs = 0;
			if (await insert(n8n)) {
				return polledAt;
			}
			if (isDead) {
				await clear(n8n).catch(() => undefined);
				await sleep(Math.random() * MAX_PAUSE_AFTER_BREAK_MS);
			}
		}
		await sleep(MIN_POLL_MS + Math.random() * (MAX_POLL_MS - MIN_POLL_MS));
		heldMs += Math.min(Date.now() - polledAt, MAX_COUNTED_MS);
	}
	throw new Error('Others used the keys of this workflow for a minute');
}

/** Whether this process has inserted the row. n8n throws when another one has. */
async function insert(n8n: ClaimHost): Promise<boolean> {
	const { helpers } = n8n;
	const recorded = await helpers
		.checkProcessedAndRecord([LOCK_KEY], 'workflow', LOCK_OPTIONS)
		.catch((error: unknown) => {
			if (String(error).includes('incompatible setting')) {
				throw error;
			}
			return { new: [] };
		});
	return recorded.new.length > 0 && (await countEntries(n8n)) === 1;
}

async function clear(n8n: ClaimHost): Promise<void> {
	await n8n.helpers.clearAllProcessedItems('workflow', LOCK_OPTIONS);
}

/** The entries of the row. If it has more than one, n8n's Remove Duplicates node uses it. */
async function countEntries(n8n: ClaimHost): Promise<number> {
	const entries = await withRetries(
		async () => await n8n.helpers.getProcessedDataCount('workflow', LOCK_OPTIONS),
	);
	if (entries > 1) {
		throw new Error('A Remove Duplicates node uses the scope of the whole workflow');
	}
	return entries;
}
