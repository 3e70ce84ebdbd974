import { sleep } from 'n8n-workflow';

import { LedgerError } from '../ledger';
import { databaseError, withRetries, type LedgerHost } from './host';

/** The one entry of the row that is the lock. */
const LOCK_KEY = 'the lock of Partner Payments';
const OPTIONS = { mode: 'entries' as const };

const MIN_POLL_MS = 4;
const MAX_POLL_MS = 24;
/** A lock that is seen for so long, and nothing else, is of a process that has died. */
const DEAD_AFTER_MS = 15_000;
/** How much of the time between two looks at it counts at most. */
const MAX_COUNTED_MS = 250;
/** After so long, another process may think that this one has died. */
const MAX_HELD_MS = 10_000;
const MAX_PAUSE_AFTER_BREAK_MS = 500;
const MAX_WAIT_MS = 60_000;
/** How often the row may fail to come into being while there is none. */
const MAX_FAILURES = 8;

/**
 * Does work that no other process may do for the same workflow at the same time. Within a process, one
 * caller at a time.
 *
 * The lock is the row that n8n keeps for the whole workflow: n8n makes it by an INSERT, which succeeds
 * for one process only, and whoever made it deletes it. Its content is always the same, so that nothing
 * which a loser writes into it late can change it. Nothing is ever taken out of it, since a row that is
 * there and empty would look free to several.
 *
 * @returns also whether no other process can have had the lock meanwhile
 * @throws SharedRowError when the row is of n8n's Remove Duplicates node, LedgerError when it cannot be made
 */
export async function withProcessLock<Result>(
	n8n: LedgerHost,
	work: () => Promise<Result>,
): Promise<{ result: Result; isCertain: boolean }> {
	const acquiredAt = await acquire(n8n);
	const result = await work().catch(async (error: unknown) => {
		await release(n8n, acquiredAt);
		throw error;
	});
	return { result, isCertain: await release(n8n, acquiredAt) };
}

/** Waits for the lock; returns the time directly before it was acquired. */
async function acquire(n8n: LedgerHost): Promise<number> {
	const startedAt = Date.now();
	let heldMs = 0;
	let failures = 0;
	while (Date.now() - startedAt < MAX_WAIT_MS) {
		const polledAt = Date.now();
		const entries = await countEntries(n8n);
		if (entries > 1) throw new SharedRowError();
		if (entries === 0) heldMs = 0;
		const isDead = heldMs > DEAD_AFTER_MS;
		if (entries === 0 || isDead) {
			const askedAt = Date.now();
			const result = await insert(n8n);
			if (result === 'acquired') return askedAt;
			failures = result instanceof Error ? failures + 1 : 0;
			if (result instanceof Error && failures > MAX_FAILURES) throw databaseError(result);
			if (isDead && result === 'held') await breakLock(n8n);
			if (isDead) heldMs = 0;
		}
		await sleep(MIN_POLL_MS + Math.random() * (MAX_POLL_MS - MIN_POLL_MS));
		// A process that was stopped for long has seen nothing meanwhile.
		heldMs += Math.min(Date.now() - polledAt, MAX_COUNTED_MS);
	}
	throw new LedgerError(
		'Other processes of n8n use the unique references of this workflow for a minute already',
		'Run it again in a few minutes, with the same unique references.',
	);
}

/**
 * Tries to make the row.
 *
 * @returns `held` when another process has made it; an error may mean the same
 */
async function insert(n8n: LedgerHost): Promise<'acquired' | 'held' | Error> {
	const recorded = await n8n.helpers
		.checkProcessedAndRecord([LOCK_KEY], 'workflow', OPTIONS)
		.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
	if (recorded instanceof Error) {
		if (recorded.message.includes('incompatible setting')) throw new SharedRowError();
		return recorded;
	}
	if (recorded.new.length === 0) return 'held';
	const entries = await countEntries(n8n);
	// The key is new to a row of Remove Duplicates, too.
	if (entries > 1) throw new SharedRowError();
	return entries === 1 ? 'acquired' : 'held';
}

/** Deletes the lock of a process that has died, and gives others that do the same the time for it. */
async function breakLock(n8n: LedgerHost): Promise<void> {
	await n8n.helpers.clearAllProcessedItems('workflow', OPTIONS).catch(() => undefined);
	await sleep(Math.random() * MAX_PAUSE_AFTER_BREAK_MS);
}

/** Deletes the row, unless it may be another process' by now; says whether it is certain that it was not. */
async function release(n8n: LedgerHost, acquiredAt: number): Promise<boolean> {
	// At once, so that hardly anybody can make the row after a deletion that failed only seemingly.
	for (const isLast of [false, false, true]) {
		try {
			const entries = await n8n.helpers.getProcessedDataCount('workflow', OPTIONS);
			if (entries === 0 || Date.now() - acquiredAt > MAX_HELD_MS) return false;
			if (entries === 1) await n8n.helpers.clearAllProcessedItems('workflow', OPTIONS);
			return true;
		} catch {
			if (isLast) return Date.now() - acquiredAt <= MAX_HELD_MS;
		}
	}
	return false;
}

const countEntries = async (n8n: LedgerHost): Promise<number> =>
	await withRetries(async () => await n8n.helpers.getProcessedDataCount('workflow', OPTIONS));

/** The row of the workflow that would be the lock is of n8n's Remove Duplicates node. */
export class SharedRowError extends LedgerError {
	constructor() {
		super(
			"This workflow's Remove Duplicates node keeps its history for the whole workflow, where unique references need the place",
			'In Remove Duplicates, clear the history once (operation Clear Deduplication History, scope Workflow) and set Scope to Node. Then run it again with the same unique references.',
		);
	}
}
