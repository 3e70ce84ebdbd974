import type { Claim } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { openNodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type { OwnReferences } from '../../../nodes/PartnerPayments/ledger/nodeStore/storeChange';
import type { InputError } from '../../../nodes/PartnerPayments/shared/inputError';
import { N8nDatabase, type ExecutionOf } from './n8nDatabase';

const SCOPE = { kind: 'payout', environment: 'sandbox' } as const;
const claimOf = (reference: string): Claim => ({
	workspaceId: 'w1',
	reference,
	content: '{"amount":1}',
	payee: 'ada@studio.example',
	amount: 1,
});

const OPTIONS = { mode: 'entries' as const, maxEntries: 60_000 };
const IN_TABLE = expect.objectContaining({
	message: expect.stringContaining('keeps its references in a Data Table'),
	hint: expect.stringMatching(/^Set Remember In to Data Table again.*pay it in no other way/),
});

/** What one process has of both stores, with a memory of its own. */
interface Process {
	openNodeLedger: typeof openNodeLedger;
	OwnReferences: typeof OwnReferences;
}

let database: N8nDatabase;
let execution: ExecutionOf;
let process: Process;
let nodes = 0;

beforeEach(async () => {
	database = new N8nDatabase();
	nodes += 1;
	execution = { process: '1', node: `node-${nodes}` };
	process = await startProcess();
});

async function startProcess(): Promise<Process> {
	let started: Process | undefined;
	await jest.isolateModulesAsync(async () => {
		started = {
			...(await import('../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger')),
			...(await import('../../../nodes/PartnerPayments/ledger/nodeStore/storeChange')),
		};
	});
	if (started === undefined) throw new Error('The modules were not loaded');
	return started;
}

/** What a Data Table is told of references of the node. */
async function refused(...references: string[]): Promise<Record<string, InputError>> {
	const own = new process.OwnReferences(database.host(execution), SCOPE);
	const errors = await own.refuse(references.map(claimOf));
	return Object.fromEntries([...errors].map(([claim, error]) => [claim.reference, error]));
}

/** Keeps references in the node's own store, as far as a run comes with each. */
async function keep(states: Record<string, 'claimed' | 'funding' | 'funded' | 'awaiting_deposit'>) {
	const ledger = process.openNodeLedger(database.host(execution), SCOPE);
	for (const [reference, state] of Object.entries(states)) {
		const claims = [claimOf(reference)];
		await ledger.claim(claims);
		if (state === 'claimed') continue;
		await ledger.begin(claims, 'funding');
		if (state !== 'funding') await ledger.settle(claims, state, {});
	}
}

/** How the node's own store answers to the claim of references. */
const claimed = async (...references: string[]) =>
	await process.openNodeLedger(database.host(execution), SCOPE).claim(references.map(claimOf));

const storedKeys = (): string[] =>
	database.keys(JSON.stringify(['workflow-1', `n:node-${nodes}`])).sort();

test('a reference that the node has kept by itself is refused, with what came of it', async () => {
	await keep({ paid: 'funded', owed: 'awaiting_deposit', unclear: 'funding', begun: 'claimed' });
	const errors = await refused('paid', 'owed', 'unclear', 'begun', 'new');
	expect(Object.keys(errors)).toEqual(['paid', 'owed', 'unclear', 'begun']);
	expect(errors).toMatchObject({
		paid: {
			message: '"paid" is paid already: this node knows it from when Remember In was This Node',
			hint: expect.stringContaining('Do not pay it under another reference'),
		},
		owed: { message: expect.stringContaining('is funded by invoice already') },
		unclear: {
			message: expect.stringContaining('is in doubt: this node'),
			hint: expect.stringContaining('pay it in no other way'),
		},
		begun: { message: expect.stringContaining('is prepared, and not paid') },
	});
});

test('looking leaves what the node has kept as it is', async () => {
	await keep({ paid: 'funded', unclear: 'funding' });
	await refused('new');
	const before = storedKeys();
	await refused('paid', 'unclear', 'new');
	expect(storedKeys()).toEqual(before);
	expect(Object.keys(await refused('new', 'paid'))).toEqual(['paid']);
});

test('one reference is enough to be found, in each process', async () => {
	await keep({ paid: 'funded' });
	expect(Object.keys(await refused('new', 'paid'))).toEqual(['paid']);
	process = await startProcess();
	expect(Object.keys(await refused('new', 'paid'))).toEqual(['paid']);
});

test('the latest reference is found where n8n has forgotten the oldest keys', async () => {
	const { helpers } = database.host(execution);
	const others = Array.from({ length: 59_998 }, (_, index) => `other ${index}`);
	await keep({ first: 'funded' });
	await helpers.checkProcessedAndRecord(others, 'node', OPTIONS);
	await keep({ latest: 'funded' });
	process = await startProcess();
	expect(Object.keys(await refused('new', 'latest'))).toEqual(['latest']);
});

test('a node that has kept none by itself asks its database once', async () => {
	expect(await refused('new')).toEqual({});
	const { length } = database.statements;
	expect(await refused('new', 'other')).toEqual({});
	expect(database.statements).toHaveLength(length);
});

test('the keys of a ledger table that the node has used by name are not taken for references', async () => {
	const { helpers } = database.host(execution);
	await helpers.checkProcessedAndRecord(['name', 'name and table'], 'node', OPTIONS);
	expect(await refused('new')).toEqual({});
	const { length } = database.statements;
	expect(await refused('new')).toEqual({});
	expect(database.statements).toHaveLength(length);
});

test('a workflow that was never saved has kept none', async () => {
	execution = { ...execution, workflow: '' };
	expect(await refused('new')).toEqual({});
});

test('where Remove Duplicates has the row of the lock, a table is used without it', async () => {
	const { helpers } = database.host(execution);
	await helpers.checkProcessedAndRecord(['one', 'two'], 'workflow', OPTIONS);
	expect(await refused('new')).toEqual({});
	process = await startProcess();
	expect(await refused('new')).toEqual({});
});

describe('a node that has kept references in a table', () => {
	test('keeps no other one by itself, in a process that did so before and in others', async () => {
		await keep({ own: 'funded' });
		const before = process;
		process = await startProcess();
		await refused('new');
		for (process of [before, process, await startProcess()]) {
			expect(await claimed('new', 'newer')).toEqual([IN_TABLE, IN_TABLE]);
			expect(await claimed('own')).toMatchObject([{ state: 'funded' }]);
		}
	});

	test('goes on by itself with what the table refuses, and with nothing else', async () => {
		await keep({ prepared: 'claimed' });
		expect(Object.keys(await refused('prepared', 'new'))).toEqual(['prepared']);
		expect(await claimed('prepared', 'new')).toMatchObject([{ state: 'claimed' }, IN_TABLE]);
		expect(Object.keys(await refused('prepared', 'new'))).toEqual(['prepared']);
	});

	test('keeps none of a run that goes on by itself when the table comes into use', async () => {
		const ledger = process.openNodeLedger(database.host(execution), SCOPE);
		await ledger.claim([claimOf('first')]);
		process = await startProcess();
		expect(Object.keys(await refused('first', 'second'))).toEqual(['first']);
		expect(await ledger.claim([claimOf('second')])).toEqual([IN_TABLE]);
	});

	test('is told from one in which many runs claim at once', async () => {
		const claims = await Promise.all(
			['1', '2', '3'].map(async (reference) => await claimed(reference)),
		);
		expect(claims.flat()).toMatchObject(claims.map(() => ({ isNew: true })));
	});

	test('is told from one over which processes have died while they looked', async () => {
		const { helpers } = database.host(execution);
		for (const reference of ['1', '2', '3']) {
			await helpers.checkProcessedAndRecord([JSON.stringify(['in table'])], 'node', OPTIONS);
			expect(await claimed(reference)).toMatchObject([{ isNew: true }]);
			await helpers.checkProcessedAndRecord([JSON.stringify(['is certain'])], 'node', OPTIONS);
			expect(await claimed(`${reference} again`)).toMatchObject([{ isNew: true }]);
			await helpers.removeProcessed([JSON.stringify(['is certain'])], 'node', OPTIONS);
		}
	});
});

test('of a run by the table and one by the node, at the same time, one at most takes a reference', async () => {
	for (let delay = 0; delay < 40; delay += 1) {
		nodes += 1;
		execution = { process: '1', node: `node-${nodes}` };
		const [table, own] = [await startProcess(), await startProcess()];
		let count = 0;
		database.before = async () => {
			for (let turns = (count += 1) * (delay % 7) + delay; turns > 0; turns -= 1)
				await Promise.resolve();
		};
		const host = {
			one: database.host(execution),
			other: database.host({ ...execution, process: '2' }),
		};
		const [errors, [entry]] = await Promise.all([
			new table.OwnReferences(host.one, SCOPE).refuse([claimOf('both')]),
			own.openNodeLedger(host.other, SCOPE).claim([claimOf('both')]),
		]);
		expect(errors.size === 1 || entry instanceof Error).toBe(true);
	}
});
