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
	reject(
		'A unique reference needs a workflow that was saved',
		'Save the workflow, then run it again: its references are kept with it.',
	);

/** What tells a node from all others of this n8n, whatever it is renamed to. */
export const nodeIdentity = (n8n: LedgerHost): string =>
	JSON.stringify([workflowIdentity(n8n), n8n.getNode().id]);

/** Makes a statement of the database again when it fails; throws a LedgerError when it always does. */
export const withRetries = async <Result>(
	statement: () => Promise<Result>,
	[pauseMs, ...later] = RETRY_PAUSES_MS,
): Promise<Result> =>
	await statement().catch(async (error: unknown) => {
		if (pauseMs === undefined) throw databaseError(error);
		await sleep(pauseMs);
		return await withRetries(statement, later);
	});

/** The error for a database that fails again and again. n8n replaces messages that hold an error code. */
export const databaseError = (error: unknown): LedgerError =>
	new LedgerError(
		"n8n's database does not keep what was paid",
		`Run it again with the same unique references when the database works. It said: ${error instanceof Error ? error.message : String(error)}.`,
	);

const LOCK_KEY = 'the lock of Partner Payments';
const OPTIONS = { mode: 'entries' as const };

const MIN_POLL_MS = 4;
const MAX_POLL_MS = 24;
/** A lock that is seen for so long, and nothing else, is of a process that has died. */
const DEAD_AFTER_MS = 15_000;
/** How much of the time between two looks at it counts at most: this process may have stood still. */
const MAX_COUNTED_MS = 250;
/** After so long, another process may think that this one has died. */
const MAX_HELD_MS = 10_000;
const MAX_PAUSE_AFTER_BREAK_MS = 500;
const MAX_WAIT_MS = 60_000;

/**
 * Does work for a workflow that nobody may do at the same time, in this process or another one.
 *
 * Between processes, the lock is the row that n8n keeps for the whole workflow: n8n makes it by an INSERT,
 * which succeeds for one process only, and whoever made it deletes it. Its content never changes, so that
 * what a loser writes into it late does no harm; nothing is taken out of it, since an empty row looks free.
 *
 * @throws LedgerError when it cannot be made, as where n8n's Remove Duplicates node has the row, or when
 *   another process may have had it meanwhile
 */
export async function withLock<Result>(
	n8n: LedgerHost,
	work: () => Promise<Result>,
): Promise<Result> {
	return await withMutex([`ledger ${workflowIdentity(n8n)}`], async () => {
		const acquiredAt = await acquire(n8n);
		const hasLock = (): boolean => Date.now() - acquiredAt < MAX_HELD_MS;
		const release = async (): Promise<void> => {
			if ((await countEntries(n8n)) === 1 && hasLock()) await clear(n8n);
		};
		// At once, so that hardly anybody can make the row after a deletion that failed only seemingly.
		const result = await work().finally(async () => {
			await release()
				.catch(release)
				.catch(release)
				.catch(() => undefined);
		});
		if (hasLock()) return result;
		throw lockError('This process stood still');
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
			// Others may have found it dead as well, and clear it now.
			if (isDead) await sleep(Math.random() * MAX_PAUSE_AFTER_BREAK_MS);
		}
		await sleep(MIN_POLL_MS + Math.random() * (MAX_POLL_MS - MIN_POLL_MS));
		heldMs += Math.min(Date.now() - polledAt, MAX_COUNTED_MS);
	}
	throw lockError('Others used them for a minute');
}

const lockError = (reason: string): LedgerError =>
	new LedgerError(
		`The unique references of this workflow could not be locked: ${reason}`,
		'Run it again in a few minutes, with the same unique references.',
	);

/** Whether this process has made the row. n8n throws when another one has. */
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

/** The entries of the row; more than the lock has are of n8n's Remove Duplicates node. */
async function countEntries(n8n: LedgerHost): Promise<number> {
	const count = async () => await n8n.helpers.getProcessedDataCount('workflow', OPTIONS);
	const entries = await withRetries(count);
	if (entries > 1) throw sharedRowError();
	return entries;
}

const sharedRowError = (): LedgerError =>
	new LedgerError(
		"This workflow's Remove Duplicates node keeps its history for the whole workflow, where unique references need the place",
		'In Remove Duplicates, clear the history once (operation Clear Deduplication History, scope Workflow) and set Scope to Node. Then run it again with the same unique references.',
	);

interface KeyChange {
	add?: string[];
	/** n8n says whether they are there by adding them, for a moment. */
	look?: string[];
	remove?: (added: Set<string>, absent: Set<string>) => string[];
}

/**
 * The keys that n8n keeps in its database for one node. n8n reads all of them, changes them and writes
 * them back, so each change needs the lock.
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

	async count(): Promise<number> {
		return await withRetries(
			async () => await this.n8n.helpers.getProcessedDataCount('node', this.options),
		);
	}

	/**
	 * Changes the set. A key that two add at once is new for one of them only.
	 *
	 * @returns the keys that were not there before, and those that were looked for and are not there
	 */
	async change({
		add = [],
		look = [],
		remove = () => [],
	}: KeyChange): Promise<Record<'added' | 'absent', Set<string>>> {
		return await withLock(this.n8n, async () => {
			const unclaimed = await this.add([...new Set([...add, ...look])]);
			const added = new Set(add.filter((key) => unclaimed.has(key)));
			const absent = new Set(look.filter((key) => unclaimed.has(key)));
			const looked = [...absent].filter((key) => !added.has(key));
			const removed = [...looked, ...remove(added, absent)];
			if (removed.length > 0)
				await withRetries(async () => {
					await this.n8n.helpers.removeProcessed(removed, 'node', this.options);
				});
			return { added, absent };
		});
	}

	private async add(keys: string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const recorded = await withRetries(
			async () => await this.n8n.helpers.checkProcessedAndRecord(keys, 'node', this.options),
		);
		return new Set(recorded.new.map(String));
	}
}
