import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import type { Ledger, Payment } from '../../../nodes/PartnerPayments/ledger/ledger';
import { rejectionOf } from '../support';
import { elapse, useFakeTime } from './fakeTime';
import { attemptOf, begins, paymentOf, statusesIn } from './ledgerContract';
import { N8nProcesses } from './n8nProcesses';

const FIRST = paymentOf('INV-1');
const SECOND = paymentOf('INV-2');

/** A statement that never comes back: its process has died. */
const NEVER = new Promise<void>(() => undefined);

useFakeTime();

/** An n8n of three processes with a run each, in which every statement takes a while, and some stall. */
async function startSlow(delaysMs: number[], stalls: Array<[nth: number, ms: number]> = []) {
	const n8n = new N8nProcesses();
	const stallsMs = new Map(stalls);
	n8n.database.before = async (_, nth) => {
		await sleep(stallsMs.get(nth) ?? delaysMs[nth % delaysMs.length] ?? 1);
	};
	const runs = [await n8n.open(), await n8n.open(), await n8n.open()] as const;
	return { n8n, runs };
}

const delays = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 });
const stalled = fc.array(
	fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 3_000 })),
	{ maxLength: 2 },
);

const isLocked = ({ database, workflow }: N8nProcesses): boolean =>
	database.rows.has(JSON.stringify([workflow, '']));

test('one of several processes begins, though one is stopped for up to three seconds #processes-one-begins', async () => {
	await fc.assert(
		fc.asyncProperty(delays, stalled, async (delaysMs, stalls) => {
			const { n8n, runs } = await startSlow(delaysMs, stalls);
			const others = runs.map((_, index) => paymentOf(`INV-other-${index}`));
			const work = runs.map(async (run, index) => {
				const own = others.slice(index, index + 1);
				const [isOwnBegun, beginning] = await Promise.all([
					begins(run, ...own),
					run.begin([FIRST]),
				]);
				const isBegun = 'attempt' in beginning;
				if (isBegun) await beginning.attempt.complete('funded', 'fund-1');
				return { isBegun, isOwnBegun };
			});
			const results = await elapse(Promise.all(work));
			expect(results.filter(({ isBegun }) => isBegun)).toHaveLength(1);
			expect(results.filter(({ isOwnBegun }) => isOwnBegun)).toHaveLength(3);
			const statuses = await elapse(statusesIn(await n8n.open(), FIRST, ...others));
			expect(statuses).toEqual(['done', 'unconfirmed', 'unconfirmed', 'unconfirmed']);
		}),
		{ numRuns: 60 },
	);
});

test('payments that were looked for, refused and given back are never unconfirmed #processes-given-back', async () => {
	await fc.assert(
		fc.asyncProperty(delays, stalled, async (delaysMs, stalls) => {
			const { n8n, runs } = await startSlow(delaysMs, stalls);
			let requests = 0;
			const attempt = async (run: Ledger, payments: Payment[]): Promise<void> => {
				await run.find(payments);
				const beginning = await run.begin(payments);
				if ('blocked' in beginning) return;
				requests += 1;
				expect(requests).toBe(1);
				await sleep(20);
				requests -= 1;
				await beginning.attempt.withdraw();
			};
			const [one, other] = runs;
			const attempts = [attempt(one, [FIRST, SECOND]), attempt(other, [SECOND, FIRST])];
			await elapse(Promise.all(attempts));
			const later = await n8n.open();
			expect(await elapse(statusesIn(later, FIRST, SECOND))).toEqual(['new', 'new']);
			expect(await elapse(begins(later, FIRST, SECOND))).toBe(true);
		}),
		{ numRuns: 40 },
	);
});

test('wherever a process dies, nothing begins twice and nobody waits for ever #processes-that-die', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 40 }), delays, async (deadAt, delaysMs) => {
			const { n8n, runs } = await startSlow(delaysMs);
			const [dying, living] = runs;
			const { before } = n8n.database;
			let statements = 0;
			n8n.database.before = async (statement, nth) => {
				if (statement.process === 'process 0' && (statements += 1) >= deadAt) await NEVER;
				await before(statement, nth);
			};
			let begun = 0;
			const work = async (run: Ledger): Promise<void> => {
				await run.find([FIRST]);
				const beginning = await run.begin([FIRST]);
				if ('blocked' in beginning) return;
				begun += 1;
				await beginning.attempt.complete('funded', 'fund-1');
			};
			void work(dying);
			await elapse(work(living));
			const [status] = await elapse(statusesIn(await n8n.open(), FIRST));
			expect(begun).toBeLessThanOrEqual(1);
			expect(begun === 0 ? ['unconfirmed'] : ['done', 'unconfirmed']).toContain(status);
		}),
		{ numRuns: 60 },
	);
});

test('the lock of a process that died is broken after 15 seconds #processes-broken-lock', async () => {
	const n8n = new N8nProcesses();
	const dead = await n8n.open({ process: 'dead' });
	n8n.database.before = async ({ process, scope, verb }) => {
		if (process === 'dead' && scope === 'node' && verb === 'select' && isLocked(n8n)) await NEVER;
		await Promise.resolve();
	};
	void dead.begin([FIRST]);
	await jest.advanceTimersByTimeAsync(10);
	const run = await n8n.open();
	const startedAt = Date.now();
	expect(await elapse(statusesIn(run, FIRST))).toEqual(['new']);
	expect(Date.now() - startedAt).toBeGreaterThan(15_000);
	expect(await elapse(begins(run, FIRST))).toBe(true);
	expect(isLocked(n8n)).toBe(false);
});

test('what a process writes that was stopped too long is not relied upon #processes-stopped-too-long', async () => {
	const n8n = new N8nProcesses();
	const [stopped, other] = [await n8n.open({ process: 'stopped' }), await n8n.open()];
	await elapse((await elapse(attemptOf(stopped, SECOND))).withdraw());
	n8n.database.before = async ({ process, scope, verb }) => {
		if (process === 'stopped' && scope === 'node' && verb === 'update') await sleep(40_000);
		await Promise.resolve();
	};
	const beginning = stopped.begin([FIRST]);
	await jest.advanceTimersByTimeAsync(20_000);
	await elapse(other.find([SECOND]));
	expect(await elapse(rejectionOf(beginning))).toBeInstanceOf(Error);
	expect(await elapse(statusesIn(await n8n.open(), FIRST))).toEqual(['unconfirmed']);
	expect(isLocked(n8n)).toBe(false);
});
