import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import type { KeyStore } from '../../../nodes/PartnerPayments/ledger/keyStore';
import { RequestLock } from '../../../nodes/PartnerPayments/ledger/requestLock';
import { fastLock, Row, withTimers, workerStore } from './keyStores';

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

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
					return await new RequestLock(workerStore(row, () => writeMs)).acquire(['INV-1']);
				});
				const results = await withTimers(Promise.all(claims));
				const locked = results.filter(({ size }) => size > 0);
				expect(locked).toHaveLength(claimants.length - 1);
				expect(new Set(locked.map((entries) => entries.get('INV-1')))).toEqual(
					new Set(['funding']),
				);
			},
		),
		{
			numRuns: 300,
			examples: [
				[
					[
						{ start: 0, writeMs: 1 },
						{ start: 3, writeMs: 34 },
						{ start: 0, writeMs: 3 },
						{ start: 37, writeMs: 34 },
					],
				],
				[
					[
						{ start: 171, writeMs: 3 },
						{ start: 182, writeMs: 33 },
						{ start: 246, writeMs: 34 },
						{ start: 168, writeMs: 35 },
					],
				],
			],
		},
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

test('a settled reference is funded for every later worker, also after an inspection', async () => {
	const row = new Row();
	const lock = fastLock(row);
	await withTimers(lock.acquire(['INV-1']));
	await withTimers(lock.settle(['INV-1']));
	const funded = new Map([['INV-1', 'funded']]);
	expect(await withTimers(fastLock(row).inspect(['INV-1']))).toEqual(funded);
	expect(await withTimers(fastLock(row).inspect(['INV-1']))).toEqual(funded);
	expect(await withTimers(fastLock(row).acquire(['INV-1']))).toEqual(funded);
	expect(await withTimers(fastLock(row).acquire(['INV-1']))).toEqual(funded);
	expect(row.keys).toEqual(new Set(['INV-1 lock']));
});

test('a released reference may be locked again, and no key of it remains', async () => {
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

test('references that are locked together are settled one by one', async () => {
	const row = new Row();
	const lock = fastLock(row);
	await withTimers(lock.acquire(['INV-1', 'INV-2']));
	await withTimers(lock.settle(['INV-1']));
	expect(await withTimers(fastLock(row).inspect(['INV-1', 'INV-2']))).toEqual(
		new Map([
			['INV-1', 'funded'],
			['INV-2', 'funding'],
		]),
	);
});

test('a claim counts after ten times the duration of its write', async () => {
	const lock = new RequestLock(workerStore(new Row(), () => 30));
	let isAcquired = false;
	const acquiring = lock.acquire(['INV-1']).then(() => (isAcquired = true));
	await jest.advanceTimersByTimeAsync(30 + 10 * 30);
	expect(isAcquired).toBe(false);
	await withTimers(acquiring);
	expect(isAcquired).toBe(true);
});

test('whoever finds a lock writes nothing more while others may be waiting for theirs', async () => {
	const row = new Row();
	await withTimers(fastLock(row).acquire(['INV-1']));
	const remove = jest.fn(async () => await Promise.resolve());
	let locked: unknown;
	void new RequestLock({ ...workerStore(row, () => 1), remove })
		.acquire(['INV-1'])
		.then((entries) => (locked = entries));
	await jest.advanceTimersByTimeAsync(90);
	expect([locked, remove.mock.calls]).toEqual([undefined, []]);
	await jest.advanceTimersByTimeAsync(50);
	expect(locked).toEqual(new Map([['INV-1', 'funding']]));
	expect(remove).toHaveBeenCalledTimes(1);
});

test('a claim that other writes undo again and again is given up after three rounds', async () => {
	let writes = 0;
	const forgetful: KeyStore = {
		add: async (keys) => {
			writes += 1;
			return await Promise.resolve({ added: new Set(keys), durationMs: 1 });
		},
		remove: async () => {
			await Promise.resolve();
		},
	};
	expect(await withTimers(new RequestLock(forgetful).acquire(['INV-1']))).toEqual(
		new Map([['INV-1', 'funding']]),
	);
	expect(writes).toBe(4);
});

test('a lock that nobody has is acquired as soon as its keys count', async () => {
	let locked: unknown;
	void fastLock(new Row())
		.acquire(['INV-1'])
		.then((entries) => (locked = entries));
	await jest.advanceTimersByTimeAsync(150);
	expect(locked).toEqual(new Map());
});

test('a claim that another worker has undone is taken back when the others no longer wait', async () => {
	let calls = 0;
	const remove = jest.fn(async () => await Promise.resolve());
	const add: KeyStore['add'] = async (keys) => {
		calls += 1;
		const added = new Set(calls === 1 ? keys : keys.filter((key) => /^INV-1 .{36}$/.test(key)));
		return await Promise.resolve({ added, durationMs: 1 });
	};
	let locked: unknown;
	void new RequestLock({ add, remove }).acquire(['INV-1']).then((entries) => (locked = entries));
	await jest.advanceTimersByTimeAsync(190);
	expect(remove).not.toHaveBeenCalled();
	await jest.advanceTimersByTimeAsync(20);
	expect(remove.mock.calls).toEqual([[[expect.stringMatching(/^INV-1 .{36}$/)]]]);
	expect(locked).toEqual(new Map([['INV-1', 'funding']]));
	expect(calls).toBe(2);
});
