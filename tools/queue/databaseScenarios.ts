import { setTimeout as delay } from 'node:timers/promises';

import { writesTo } from '../n8n';
import { poll } from '../n8n/poll';
import type { Session } from './session';

/** A write of the payout ledger, in n8n's own store or in a data table. */
const LEDGER_WRITE = writesTo('(processed_data|data_table_user_)');
/** In turn: the shortest one, and long enough for the others to be paid meanwhile. */
const HOLD_MS = [500, 1_500, 3_000];
/** In turn: the first write of a payout and the next ones. */
const HELD_WRITES = 4;
const SLOW_MS = 300;
const POLL_INTERVAL_MS = 10;

/**
 * While a write for one payout is held up, the other worker pays 30 others, which are then submitted
 * again: to the first worker, since they are given executions in turn.
 */
export async function holdOneWrite(session: Session, round: number): Promise<void> {
	const others = await session.add(30);
	const holdMs = HOLD_MS[round % HOLD_MS.length] ?? NaN;
	const submission = await submitWithHeldWrite(session, 1 + (round % HELD_WRITES), holdMs);
	await Promise.all([submission.ended, session.submit(others)]);
	await session.submit(others);
}

/**
 * Submits one payout, and waits until a write of it is held up.
 *
 * @param nth the number of that write, from 1; an earlier one when it does not write so often
 * @throws when it does not write at all
 */
async function submitWithHeldWrite(
	session: Session,
	nth: number,
	holdMs: number,
): Promise<{ ended: Promise<void> }> {
	if (nth === 0) throw new Error('No write of the payout ledger was seen');
	// The main process writes the data tables, and the workers write n8n's own store.
	const { mainDatabase, workers } = session.cluster;
	const databases = [mainDatabase, ...workers.map(({ database }) => database)];
	const faults = await Promise.all(
		databases.map(async (database) => ({
			database,
			fault: await database.inject({ statement: LEDGER_WRITE, nth, delayMs: holdMs }),
		})),
	);
	let hasEnded = false;
	const ended = session.submit(await session.add(1)).then(() => void (hasEnded = true));
	const isHeld = await poll(
		'a write of the payout ledger',
		async () => {
			const states = await Promise.all(
				faults.map(async ({ database, fault }) => await database.read(fault)),
			);
			if (states.some(({ latest }) => latest !== undefined)) return true;
			return hasEnded ? false : undefined;
		},
		{ intervalMs: POLL_INTERVAL_MS },
	);
	await session.clearFaults();
	return isHeld ? { ended } : await submitWithHeldWrite(session, nth - 1, holdMs);
}

/** Executions with the same payouts on both workers, one of which has a slow database. */
export async function slowDatabase(session: Session, round: number): Promise<void> {
	const { workers } = session.cluster;
	const { database } = workers[round % 2 === 0 ? 0 : 1];
	const payouts = await session.add(20);
	await database.inject({ statement: '.', delayMs: SLOW_MS });
	const first = session.submit(payouts);
	await delay(SLOW_MS);
	await Promise.all([first, session.submit(payouts), session.submit(payouts)]);
	await session.clearFaults();
}
