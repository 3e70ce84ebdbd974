import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import type { KeyStore } from '../../../nodes/PartnerPayments/ledger/keyStore';
import { RequestLock } from '../../../nodes/PartnerPayments/ledger/requestLock';

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

/** The set of keys as n8n stores it: read, changed, and written back so many milliseconds later. */
class Row {
	keys = new Set<string>();

	async change(durationMs: number, change: (keys: Set<string>) => void): Promise<void> {
		const read = new Set(this.keys);
		change(read);
		await sleep(durationMs);
		this.keys = read;
	}
}

/** The key store of a worker whose writes take so many milliseconds each, one after the other. */
function workerStore(row: Row, writeMs: () => number): KeyStore {
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

const withTimers = async <Result>(work: Promise<Result>): Promise<Result> => {
	await jest.advanceTimersByTimeAsync(60_000);
	return await work;
};

const fastLock = (row: Row): RequestLock => new RequestLock(workerStore(row, () => 1));

test('of claims at the same moment in two workers one succeeds', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.record({
					start: fc.integer({ min: 0, max: 250 }),
					writeMs: fc.integer({ min: 1, max: 35 }),
				}),
				{ minLength: 2, maxLength: 4 },
			),
			async (claimants) => {
				const row = new Row();
				const claims = claimants.map(async ({ start, writeMs }) => {
					await sleep(start);
					return (
						(await new RequestLock(workerStore(row, () => writeMs)).acquire(['INV-1'])).size === 0
					);
				});
				const acquired = await withTimers(Promise.all(claims));
				expect(acquired.filter(Boolean)).toHaveLength(1);
			},
		),
		{ numRuns: 300 },
	);
});

test('a claim that an unrelated write has undone is made again', async () => {
	const row = new Row();
	const unrelated = row.change(10, (keys) => keys.add('something else'));
	const acquiring = fastLock(row).acquire(['INV-1']);
	await withTimers(unrelated);
	expect((await acquiring).size).toBe(0);
	expect(row.keys).toEqual(
		new Set(['something else', 'INV-1 lock', 'INV-1 doubt', expect.any(String)]),
	);
});

test('a process that ends leaves a doubt, never a lock that looks free', async () => {
	const row = new Row();
	await withTimers(fastLock(row).acquire(['INV-1', 'INV-2']));
	expect(await withTimers(fastLock(row).acquire(['INV-1']))).toEqual(
		new Map([['INV-1', 'funding']]),
	);
	expect(await withTimers(fastLock(row).inspect(['INV-1', 'INV-2', 'INV-3']))).toEqual(
		new Map([
			['INV-1', 'funding'],
			['INV-2', 'funding'],
			['INV-3', 'claimed'],
		]),
	);
});

test('what was answered is done for everybody who comes later, also after an inspection', async () => {
	const row = new Row();
	const lock = fastLock(row);
	await withTimers(lock.acquire(['INV-1']));
	await withTimers(lock.settle(['INV-1']));
	const done = new Map([['INV-1', 'funded']]);
	expect(await withTimers(fastLock(row).inspect(['INV-1']))).toEqual(done);
	expect(await withTimers(fastLock(row).inspect(['INV-1']))).toEqual(done);
	expect(await withTimers(fastLock(row).acquire(['INV-1']))).toEqual(done);
	expect(await withTimers(fastLock(row).acquire(['INV-1']))).toEqual(done);
	expect(row.keys).toEqual(new Set(['INV-1 lock']));
});

test('what was refused may be sent again, and leaves nothing behind', async () => {
	const row = new Row();
	const lock = fastLock(row);
	await withTimers(lock.acquire(['INV-1']));
	await withTimers(lock.release(['INV-1']));
	expect(row.keys).toEqual(new Set());
	expect(await withTimers(fastLock(row).inspect(['INV-1']))).toEqual(
		new Map([['INV-1', 'claimed']]),
	);
	expect((await withTimers(fastLock(row).acquire(['INV-1']))).size).toBe(0);
});
