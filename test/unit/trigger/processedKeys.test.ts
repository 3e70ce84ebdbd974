import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import { ProcessedKeys } from '../../../nodes/PartnerPayments/trigger/processedKeys';
import { elapse, useFakeTime } from '../../support/fakeTime';
import { N8nDatabase, type Statement } from '../ledger/n8nDatabase';
import { rejectionOf } from '../support';

useFakeTime();

const LOCK = JSON.stringify(['workflow-1', '']);
const MAX_KEYS = 1_000;

const keysOf = (database: N8nDatabase, process: string): ProcessedKeys =>
	new ProcessedKeys(database.host({ process }), MAX_KEYS);

const add = async (keys: ProcessedKeys, ...added: string[]): Promise<Set<string>> =>
	await keys.change({ add: added, remove: () => [] });

const delays = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 });

/** Has every statement take a while. */
const slow =
	(delaysMs: number[]) =>
	async (_: Statement, nth: number): Promise<void> => {
		await sleep(delaysMs[nth % delaysMs.length] ?? 1);
	};

test('of executions at once, one claims a key, and no key of another is lost', async () => {
	await fc.assert(
		fc.asyncProperty(delays, async (delaysMs) => {
			const database = new N8nDatabase();
			database.before = slow(delaysMs);
			// Within a process, the lock is one of memory.
			const workers = [1, 2, 3].map((number) => keysOf(database, `worker ${number}`));

			const claims = await elapse(
				Promise.all(workers.map(async (keys, index) => await add(keys, 'event', `own ${index}`))),
			);

			expect(claims.filter((absent) => absent.has('event'))).toHaveLength(1);
			expect(database.keys(JSON.stringify(['workflow-1', 'n:node-1']))).toHaveLength(4);
			expect(database.rows.has(LOCK)).toBe(false);
		}),
		{ numRuns: 40 },
	);
});

test('the lock of a process that died is broken after 15 seconds #processes-broken-lock', async () => {
	const database = new N8nDatabase();
	// A process takes the lock, and dies before it gives it back.
	await database
		.host({ process: 'dead' })
		.helpers.checkProcessedAndRecord(['the lock of Partner Payments'], 'workflow', {
			mode: 'entries',
		});

	const startedAt = Date.now();

	const claimed = await elapse(add(keysOf(database, 'living'), 'event'));

	expect(claimed.has('event')).toBe(true);
	expect(Date.now() - startedAt).toBeGreaterThan(15_000);
	expect(database.rows.has(LOCK)).toBe(false);
});

test('what a process writes that was stopped too long is not relied upon #processes-stopped-too-long', async () => {
	const database = new N8nDatabase();
	database.before = async ({ scope, verb }) => {
		if (scope === 'node' && verb === 'insert') {
			await sleep(40_000);
		}

		await Promise.resolve();
	};

	const claiming = rejectionOf(add(keysOf(database, 'stopped'), 'event'));

	expect(await elapse(claiming)).toEqual(new Error('This process stopped for a while'));
});

test.each([
	{
		row: { mode: 'entries' as const, data: ['a', 'b'] },
		reason: 'A Remove Duplicates node uses the scope of the whole workflow',
	},
	{ row: { mode: 'latestDate' as const, data: ['a'] }, reason: 'incompatible setting' },
])(
	"the row of n8n's Remove Duplicates node stays, and nothing is claimed: $row",
	async ({ row, reason }) => {
		const database = new N8nDatabase();
		database.rows.set(LOCK, row);

		const claiming = rejectionOf(add(keysOf(database, 'one'), 'event'));

		expect(String(await elapse(claiming))).toContain(reason);
		expect(database.keys(LOCK)).toEqual(expect.arrayContaining(row.data));
		expect(database.keys(JSON.stringify(['workflow-1', 'n:node-1']))).toEqual([]);
	},
);
