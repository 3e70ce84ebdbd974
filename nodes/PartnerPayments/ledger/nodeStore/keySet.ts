import { sleep, type DeduplicationHelperFunctions, type IExecuteFunctions } from 'n8n-workflow';

import { withMutex } from '../../shared/concurrency';
import { reject } from '../../shared/values';
import { LedgerError } from '../ledger';

const RETRY_PAUSES_MS = [50, 200, 800];

export interface LedgerHost extends Pick<
	IExecuteFunctions,
	'getNode' | 'getParentNodes' | 'getWorkflow' | 'getWorkflowStaticData'
> {
	helpers: DeduplicationHelperFunctions;
}

const workflowIdentity = (n8n: LedgerHost): string =>
	n8n.getWorkflow().id ||
	reject('A unique reference needs a saved workflow', 'Save the workflow, then run it again.');

/** Identifies a node in this n8n, also after it is renamed. */
export const nodeIdentity = (n8n: LedgerHost): string =>
	JSON.stringify([workflowIdentity(n8n), n8n.getNode().id]);

/** Repeats a database statement that fails; throws a LedgerError after the last time. */
const withRetries = async <Result>(
	statement: () => Promise<Result>,
	[pauseMs, ...later] = RETRY_PAUSES_MS,
): Promise<Result> =>
	await statement().catch(async (error: unknown) => {
		// n8n replaces messages that contain an error code, so the reason is in the hint.
		if (pauseMs === undefined)
			throw new LedgerError(
				"n8n's database cannot store what is paid",
				`Run it again with the same unique references when the database works. Its error: ${error instanceof Error ? error.message : String(error)}.`,
			);
		await sleep(pauseMs);
		return await withRetries(statement, later);
	});

const LOCK_KEY = 'the lock of Partner Payments';
const OPTIONS = { mode: 'entries' as const };

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
async function withLock<Result>(n8n: LedgerHost, work: () => Promise<Result>): Promise<Result> {
	return await withMutex([`ledger ${workflowIdentity(n8n)}`], async () => {
		const acquiredAt = await acquire(n8n);
		const hasLock = (): boolean => Date.now() - acquiredAt < MAX_HELD_MS;
		const release = async (): Promise<void> => {
			if ((await countEntries(n8n)) === 1 && hasLock()) await clear(n8n);
		};
		// At once: a deletion that only seemed to fail must not delete the row of another process.
		const result = await work().finally(async () => {
			await release()
				.catch(release)
				.catch(release)
				.catch(() => undefined);
		});
		if (hasLock()) return result;
		throw lockError('this process stopped for a while');
	});
}

async function acquire(n8n: LedgerHost): Promise<number> {
	const startedAt = Date.now();
	for (let heldMs = 0; Date.now() - startedAt < MAX_WAIT_MS;) {
		const polledAt = Date.now();
		const isDead = heldMs > DEAD_AFTER_MS;
		if ((await countEntries(n8n)) === 0 || isDead) {
			heldMs = 0;
			if (await insert(n8n)) return polledAt;
			if (isDead) await clear(n8n).catch(() => undefined);
			if (isDead) await sleep(Math.random() * MAX_PAUSE_AFTER_BREAK_MS);
		}
		await sleep(MIN_POLL_MS + Math.random() * (MAX_POLL_MS - MIN_POLL_MS));
		heldMs += Math.min(Date.now() - polledAt, MAX_COUNTED_MS);
	}
	throw lockError('others used them for a minute');
}

const lockError = (reason: string): LedgerError =>
	new LedgerError(
		`The unique references of this workflow could not be locked: ${reason}`,
		'Run it again in a few minutes with the same unique references.',
	);

/** Whether this process has inserted the row. n8n throws when another one has. */
async function insert(n8n: LedgerHost): Promise<boolean> {
	const added = await n8n.helpers.checkProcessedAndRecord([LOCK_KEY], 'workflow', OPTIONS).then(
		(recorded) => recorded.new.length > 0,
		(error: unknown) => {
			if (String(error).includes('incompatible setting')) throw sharedRowError();
			return false;
		},
	);
	return added && (await countEntries(n8n)) === 1;
}

const clear = async (n8n: LedgerHost): Promise<void> => {
	await n8n.helpers.clearAllProcessedItems('workflow', OPTIONS);
};

/** The entries of the row. If it has more than one, n8n's Remove Duplicates node uses it. */
async function countEntries(n8n: LedgerHost): Promise<number> {
	const count = async () => await n8n.helpers.getProcessedDataCount('workflow', OPTIONS);
	const entries = await withRetries(count);
	if (entries > 1) throw sharedRowError();
	return entries;
}

const sharedRowError = (): LedgerError =>
	new LedgerError(
		"This workflow's Remove Duplicates node uses the scope of the whole workflow",
		'1. In Remove Duplicates, run "Clear Deduplication History" once with "Scope" set to "Workflow". 2. Set "Scope" to "Node". 3. Run this workflow again with the same unique references.',
	);

interface KeyChange {
	add?: string[];
	/** Looked for by adding them for a moment: n8n has no other way. */
	look?: string[];
	/** Chooses what is removed, by the keys that were absent. */
	remove?: (absent: Set<string>) => string[];
}

/** The keys that n8n stores for one node. n8n reads, changes and writes all of them, so each change needs the lock. */
export class KeySet {
	private readonly options: { mode: 'entries'; maxEntries: number };

	/** @param maxEntries beyond this, n8n forgets the oldest; must stay the same for a node */
	constructor(
		private readonly n8n: LedgerHost,
		maxEntries: number,
	) {
		this.options = { mode: 'entries', maxEntries };
	}

	async count(): Promise<number> {
		return await withRetries(
			async () => await this.n8n.helpers.getProcessedDataCount('node', this.options),
		);
	}

	/** Changes the set. Returns those of the keys to add and to look for that were absent. */
	async change({ add = [], look = [], remove = () => [] }: KeyChange): Promise<Set<string>> {
		const keys = [...new Set([...add, ...look])];
		const record = async () =>
			await this.n8n.helpers.checkProcessedAndRecord(keys, 'node', this.options);
		return await withLock(this.n8n, async () => {
			const recorded = keys.length > 0 ? await withRetries(record) : { new: [] };
			const absent = new Set(recorded.new.map(String));
			const removed = [...look.filter((key) => absent.has(key)), ...remove(absent)];
			if (removed.length > 0)
				await withRetries(async () => {
					await this.n8n.helpers.removeProcessed(removed, 'node', this.options);
				});
			return absent;
		});
	}
}
