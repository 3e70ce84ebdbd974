import { setTimeout as delay } from 'node:timers/promises';

import type { DatabaseProxy } from './databaseProxy';
import type { Session } from './session';

/** A write of the payout ledger, in n8n's own store and in a data table. */
const LEDGER_WRITE = /(insert into|update) [^ ]*(processed_data|data_table_user_)/i;
const HOLD_MS = 500;
/** A payout of one reference writes at least so often. */
const WRITES = 4;
const SLOW_MS = 300;

/**
 * While a write for one payout is held up, the other worker pays 30 others. The data tables are
 * written by the main process, the own store by the workers.
 */
export async function holdOneWrite(session: Session, round: number): Promise<void> {
	const { mainDatabase, workers } = session.cluster;
	const proxies = [mainDatabase, ...workers.map(({ database }) => database)];
	const [unrelated, others] = [await session.add(1), await session.add(30)];
	const holds = proxies.map((proxy) => holdWrite(proxy, round % WRITES));
	const first = session.submit(unrelated);
	await Promise.race([first, ...holds.map(({ isHeld }) => isHeld)]);
	for (const { withdraw } of holds) withdraw();
	await Promise.all([first, session.submit(others)]);
	await session.submit(others);
}

const holdWrite = (proxy: DatabaseProxy, skip: number) =>
	proxy.holdWrite(LEDGER_WRITE, skip, HOLD_MS);

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
