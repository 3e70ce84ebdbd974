import { sleep } from 'n8n-workflow';

import type { KeyStore } from '../../../nodes/PartnerPayments/ledger/keyStore';
import { RequestLock } from '../../../nodes/PartnerPayments/ledger/requestLock';

/** The set of keys as n8n stores it: read, changed, and written back so many milliseconds later. */
export class Row {
	keys = new Set<string>();

	async change(durationMs: number, change: (keys: Set<string>) => void): Promise<void> {
		const read = new Set(this.keys);
		change(read);
		await sleep(durationMs);
		this.keys = read;
	}
}

/** The key store of a worker whose writes take so many milliseconds each, one after the other. */
export function workerStore(row: Row, writeMs: () => number): KeyStore {
	let last: Promise<unknown> = Promise.resolve();
	const inOrder = async <Result>(task: () => Promise<Result>): Promise<Result> => {
		const result = last.then(task);
		last = result;
		return await result;
	};
	return {
		add: async (keys) =>
			await inOrder(async () => {
				const added = new Set<string>();
				const ms = writeMs();
				await row.change(ms, (set) => {
					for (const key of keys) {
						if (!set.has(key)) added.add(key);
						set.add(key);
					}
				});
				return { added, durationMs: ms };
			}),
		remove: async (keys) => {
			await inOrder(async () => {
				await row.change(writeMs(), (set) => {
					for (const key of keys) set.delete(key);
				});
			});
		},
	};
}

/** Waits for work that waits itself, with a minute of fake time. */
export const withTimers = async <Result>(work: Promise<Result>): Promise<Result> => {
	await jest.advanceTimersByTimeAsync(60_000);
	return await work;
};

/** A lock whose writes take a millisecond each. */
export const fastLock = (row: Row): RequestLock => new RequestLock(workerStore(row, () => 1));
