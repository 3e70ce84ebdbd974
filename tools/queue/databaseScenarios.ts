import { setTimeout as delay } from 'node:timers/promises';

import type { DatabaseProxy } from './databaseProxy';
import type { Session } from './session';

/** A write of the payout ledger, in n8n's own store and in a data table. */
const LEDGER_WRITE = /(insert into|update) [^ ]*(processed_data|data_table_user_)/i;
/** In turn: the shortest one, and long enough for the others to be paid meanwhile. */
const HOLD_MS = [500, 1_500, 3_000];
/** In turn: the first write of a payout and the next ones. */
const HELD_WRITES = 4;
const SLOW_MS = 300;

/**
 * While a write for one payout is held up, the other worker pays 30 others, which are then submitted
 * again: to the first worker, since they are given executions in turn.
 */
export async function holdOneWrite(session: Session, round: number): Promise<void> {
	const others = await session.add(30);
	const holdMs = HOLD_MS[round % HOLD_MS.length] ?? NaN;
	const submission = await submitWithHeldWrite(session, round % HELD_WRITES, holdMs);
	await Promise.all([submission.ended, session.submit(others)]);
	await session.submit(others);
}

/**
 * Submits one payout, and waits until a write of it is held up.
 *
 * @param skip how many of its writes go through before; fewer when it does not write so often
 * @throws when it does not write at all
 */
async function submitWithHeldWrite(
	session: Session,
	skip: number,
	holdMs: number,
): Promise<{ ended: Promise<void> }> {
	// The main process writes the data tables, and the workers write n8n's own store.
	const { mainDatabase, workers } = session.cluster;
	const proxies = [mainDatabase, ...workers.map(({ database }) => database)];
	const holds = proxies.map((proxy: DatabaseProxy) => proxy.holdWrite(LEDGER_WRITE, skip, holdMs));
	const ended = session.submit(await session.add(1));
	const isHeld = await Promise.race([
		ended.then(() => false),
		...holds.map((hold) => hold.isHeld.then(() => true)),
	]);
	for (const { withdraw } of holds) withdraw();
	if (isHeld) return { ended };
	if (skip === 0) throw new Error('No write of the payout ledger was seen');
	return await submitWithHeldWrite(session, skip - 1, holdMs);
}

/** Executions with the same payouts on both workers, one of which has a slow database. */
export async function slowDatabase(session: Session, round: number): Promise<void> {
	const { workers } = session.cluster;
	const { database } = workers[round % 2 === 0 ? 0 : 1];
	const payouts = await session.add(20);
	database.delayMs = SLOW_MS;
	try {
		const first = session.submit(payouts);
		await delay(SLOW_MS);
		await Promise.all([first, session.submit(payouts), session.submit(payouts)]);
	} finally {
		database.delayMs = 0;
	}
}
