import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import { Gate } from '../../nodes/PartnerPayments/ledger/gate';
import type { Keys } from '../../nodes/PartnerPayments/ledger/keys';

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

/** The set as n8n stores it: read whole, changed, and written back so many milliseconds later. */
class Row {
	keys = new Set<string>();

	async change(took: number, change: (keys: Set<string>) => void): Promise<void> {
		const read = new Set(this.keys);
		change(read);
		await sleep(took);
		this.keys = read;
	}
}

/** A worker that needs so many milliseconds for each write; one write after the other. */
function worker(row: Row, took: () => number): Keys {
	let last: Promise<unknown> = Promise.resolve();
	const inTurn = async <Done>(task: () => Promise<Done>): Promise<Done> => {
		const done = last.then(task);
		last = done;
		return await done;
	};
	return {
		add: async (keys) =>
			await inTurn(async () => {
				const fresh = new Set<string>();
				const ms = took();
				await row.change(ms, (set) => {
					for (const key of keys) {
						if (!set.has(key)) fresh.add(key);
						set.add(key);
					}
				});
				return { fresh, took: ms };
			}),
		remove: async (keys) => {
			await inTurn(async () => {
				await row.change(took(), (set) => {
					for (const key of keys) set.delete(key);
				});
			});
		},
	};
}

const inTime = async <Done>(work: Promise<Done>): Promise<Done> => {
	await jest.advanceTimersByTimeAsync(60_000);
	return await work;
};

const quick = (row: Row): Gate => new Gate(worker(row, () => 1));

test('of claims at the same moment in two workers one is let through', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.record({
					start: fc.integer({ min: 0, max: 250 }),
					took: fc.integer({ min: 1, max: 35 }),
				}),
				{ minLength: 2, maxLength: 4 },
			),
			async (racers) => {
				const row = new Row();
				const races = racers.map(async ({ start, took }) => {
					await sleep(start);
					return (await new Gate(worker(row, () => took)).pass(['INV-1'])).size === 0;
				});
				const passed = await inTime(Promise.all(races));
				expect(passed.filter(Boolean)).toHaveLength(1);
			},
		),
		{ numRuns: 300 },
	);
});

test('a claim that an unrelated write has undone is made again', async () => {
	const row = new Row();
	const unrelated = row.change(10, (keys) => keys.add('something else'));
	const passing = quick(row).pass(['INV-1']);
	await inTime(unrelated);
	expect((await passing).size).toBe(0);
	expect(row.keys).toEqual(
		new Set(['something else', 'INV-1 gate', 'INV-1 doubt', expect.any(String)]),
	);
});

test('whoever is cut off leaves a doubt, never an open gate', async () => {
	const row = new Row();
	await inTime(quick(row).pass(['INV-1', 'INV-2']));
	expect(await inTime(quick(row).pass(['INV-1']))).toEqual(new Map([['INV-1', 'inDoubt']]));
	expect(await inTime(quick(row).look(['INV-1', 'INV-2', 'INV-3']))).toEqual(
		new Map([
			['INV-1', 'inDoubt'],
			['INV-2', 'inDoubt'],
			['INV-3', 'open'],
		]),
	);
});

test('what was answered is done for everybody who comes later, also after they have looked', async () => {
	const row = new Row();
	const gate = quick(row);
	await inTime(gate.pass(['INV-1']));
	await inTime(gate.settle(['INV-1']));
	const done = new Map([['INV-1', 'done']]);
	expect(await inTime(quick(row).look(['INV-1']))).toEqual(done);
	expect(await inTime(quick(row).look(['INV-1']))).toEqual(done);
	expect(await inTime(quick(row).pass(['INV-1']))).toEqual(done);
	expect(await inTime(quick(row).pass(['INV-1']))).toEqual(done);
	expect(row.keys).toEqual(new Set(['INV-1 gate']));
});

test('what was refused may be sent again, and leaves nothing behind', async () => {
	const row = new Row();
	const gate = quick(row);
	await inTime(gate.pass(['INV-1']));
	await inTime(gate.open(['INV-1']));
	expect(row.keys).toEqual(new Set());
	expect(await inTime(quick(row).look(['INV-1']))).toEqual(new Map([['INV-1', 'open']]));
	expect((await inTime(quick(row).pass(['INV-1']))).size).toBe(0);
});
