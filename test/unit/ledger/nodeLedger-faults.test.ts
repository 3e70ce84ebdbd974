import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { rejectionOf } from '../support';
import { elapse } from './fakeTime';
import { approved, begins, claimOf, NEW, otherContentOf, statesOf } from './ledgerContract-support';
import { N8nProcesses } from './n8nProcesses';

const PAYOUTS = { kind: 'payout', environment: 'sandbox' } as const;
const FUNDED = claimOf('INV-1');
const DOUBTED = claimOf('INV-2');
const CONFLICTING = claimOf('INV-3');
const REFUSED = claimOf('INV-4');
const FORGOTTEN = claimOf('INV-5');
const EACH = [FUNDED, DOUBTED, CONFLICTING, REFUSED, FORGOTTEN];

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});

afterEach(() => {
	jest.useRealTimers();
});

/** An n8n in which one payout is in doubt, and another one was cut off before its request. */
async function started(): Promise<N8nProcesses> {
	const n8n = new N8nProcesses();
	const earlier = await n8n.open(PAYOUTS);
	await elapse(earlier.claim([DOUBTED, REFUSED, otherContentOf(CONFLICTING)]));
	await elapse(earlier.begin([DOUBTED], 'funding'));
	return n8n;
}

/** A run that comes upon everything that a run can. */
async function runThrough(run: Ledger): Promise<unknown> {
	const claimed = await run.claim(EACH);
	await run.advance([FUNDED, REFUSED], approved('pay-1'));
	const refused = await run.begin([FUNDED, REFUSED, DOUBTED], 'funding');
	const isBegun = await begins(run, [FUNDED, REFUSED]);
	await run.reopen([REFUSED], 'approved');
	const isSettled = await run.settle([FUNDED], 'funded', { funding_id: 'fund-1' });
	await run.finish(EACH);
	return {
		claimed: claimed.map((entry) => (entry instanceof Error ? entry.name : entry)),
		refused: [...refused.keys()],
		isBegun,
		isSettled,
	};
}

const RESULT = {
	claimed: [
		NEW,
		expect.objectContaining({ state: 'funding', isNew: false }),
		'InputError',
		expect.objectContaining({ state: 'claimed', isInterrupted: true }),
		NEW,
	],
	refused: [DOUBTED],
	isBegun: true,
	isSettled: true,
};

test('one failing statement, whichever it is, changes nothing', async () => {
	const trial = await started();
	const before = trial.database.statements.length;
	expect(await elapse(runThrough(await trial.open(PAYOUTS)))).toEqual(RESULT);
	const statements = trial.database.statements.length - before;
	const keys = trial.database.keys(JSON.stringify([trial.workflow, 'n:node-1'])).sort();
	expect(statements).toBeGreaterThan(50);

	for (let failing = 1; failing <= statements; failing += 1) {
		const n8n = await started();
		const count = n8n.database.statements.length;
		n8n.database.before = async (_, number) => {
			await Promise.resolve();
			if (number === count + failing) throw new Error('SQLITE_BUSY: database is locked');
		};
		const run = await n8n.open(PAYOUTS);
		expect([failing, await elapse(runThrough(run))]).toEqual([failing, RESULT]);
		expect(n8n.database.keys(JSON.stringify([n8n.workflow, 'n:node-1'])).sort()).toEqual(keys);
		const later = await n8n.open(PAYOUTS);
		expect(await elapse(statesOf(later, [FUNDED, DOUBTED, REFUSED, FORGOTTEN]))).toEqual([
			'funded',
			'funding',
			'claimed',
			'claimed',
		]);
		expect(await elapse(begins(later, [REFUSED, FORGOTTEN]))).toBe(true);
	}
});

describe('a database that does not work', () => {
	test('lets nothing begin, and says so', async () => {
		const n8n = new N8nProcesses();
		const run = await n8n.open(PAYOUTS);
		await elapse(run.claim([FUNDED]));
		n8n.database.before = async () => await Promise.reject(new Error('connection lost'));
		for (const call of [run.claim([FUNDED]), run.begin([FUNDED], 'funding')]) {
			expect(await elapse(rejectionOf(call))).toMatchObject({
				message: "n8n's database does not keep what is known of unique references",
				hint: expect.stringMatching(/^Run it again with the same .* connection lost\.$/),
			});
		}
		expect(await elapse(run.settle([FUNDED], 'funded', {}))).toBe(false);
	});

	test('removes with its next change what it could not remove', async () => {
		const n8n = new N8nProcesses();
		const run = await n8n.open({ ...PAYOUTS, process: 'one' });
		await elapse(run.claim([FUNDED, FORGOTTEN]));
		n8n.database.before = async () => await Promise.reject(new Error('connection lost'));
		await elapse(run.finish([FORGOTTEN]));
		n8n.database.before = async () => {
			await Promise.resolve();
		};
		const later = await n8n.open({ ...PAYOUTS, process: 'one' });
		expect(await elapse(later.claim([otherContentOf(FORGOTTEN)]))).toEqual([NEW]);
	});

	test('opens nothing that it could not keep as refused', async () => {
		const n8n = new N8nProcesses();
		const run = await n8n.open(PAYOUTS);
		await elapse(run.claim([FUNDED]));
		await elapse(run.begin([FUNDED], 'funding'));
		n8n.database.before = async ({ scope, verb }) => {
			await Promise.resolve();
			if (scope === 'node' && verb === 'update') throw new Error('disk full');
		};
		expect(await elapse(rejectionOf(run.reopen([FUNDED], 'approved')))).toHaveProperty(
			'hint',
			expect.stringContaining('in doubt'),
		);
	});
});

describe("a workflow whose row n8n's Remove Duplicates node uses", () => {
	test.each([
		{ what: 'many entries', row: { mode: 'entries' as const, data: ['a', 'b'] } },
		{ what: 'one entry', row: { mode: 'entries' as const, data: ['a'] } },
		{ what: 'the latest date', row: { mode: 'latestDate' as const, data: ['a'] } },
	])('for $what is refused with a way out, and keeps its row', async ({ row }) => {
		const n8n = new N8nProcesses();
		const context = JSON.stringify([n8n.workflow, '']);
		n8n.database.rows.set(context, row);
		const run = await n8n.open(PAYOUTS);
		for (let round = 0; round < 2; round += 1) {
			expect(await elapse(rejectionOf(run.claim([FUNDED])))).toMatchObject({
				message: expect.stringContaining('Remove Duplicates'),
				hint: expect.stringMatching(/set Scope to Node.*same unique references/),
			});
		}
		expect(n8n.database.keys(context)).toEqual(expect.arrayContaining(row.data));
	});

	test('meanwhile is left to it', async () => {
		const n8n = new N8nProcesses();
		const context = JSON.stringify([n8n.workflow, '']);
		n8n.database.before = async ({ scope, verb }) => {
			await Promise.resolve();
			if (scope === 'node' && verb === 'insert') n8n.database.rows.get(context)?.data.push('a');
		};
		expect(await elapse((await n8n.open(PAYOUTS)).claim([FUNDED]))).toEqual([NEW]);
		expect(n8n.database.keys(context)).toContain('a');
	});
});

test('many references of a large set are given back in pieces, of a small set at once', async () => {
	const many = Array.from({ length: 100 }, (_, index) => claimOf(`INV-${index}`));
	const removalsFrom = async (keys: number): Promise<number> => {
		const n8n = new N8nProcesses();
		const data = Array.from({ length: keys }, (_, index) => `key ${index}`);
		n8n.database.rows.set(JSON.stringify([n8n.workflow, 'n:node-1']), { mode: 'entries', data });
		const run = await n8n.open(PAYOUTS);
		await elapse(run.claim(many));
		const before = n8n.database.statements.length;
		await elapse(run.finish(many));
		const left = n8n.database.keys(JSON.stringify([n8n.workflow, 'n:node-1']));
		// Beside the others, the one that says that the node keeps references.
		expect(left.slice(0, -1)).toEqual(data);
		const statements = n8n.database.statements.slice(before);
		return statements.filter(({ scope, verb }) => scope === 'node' && verb === 'update').length;
	};
	expect(await removalsFrom(0)).toBe(2);
	expect(await removalsFrom(50_000)).toBe(8);
});

test('a workflow that was never saved is refused', async () => {
	const n8n = new N8nProcesses();
	const { openNodeLedger } =
		await import('../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger');
	const host = n8n.database.host({ process: 'one', workflow: '' });
	expect(() => openNodeLedger(host, PAYOUTS)).toThrow(
		'A unique reference needs a workflow that was saved',
	);
});
