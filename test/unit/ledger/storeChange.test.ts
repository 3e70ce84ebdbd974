import type { Claim } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { openNodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type { OwnReferences } from '../../../nodes/PartnerPayments/ledger/nodeStore/storeChange';
import { N8nDatabase, type ExecutionOf } from './n8nDatabase';

const SCOPE = { kind: 'payout', environment: 'sandbox' } as const;
const claimOf = (reference: string, amount = 1): Claim => ({
	workspaceId: 'w1',
	reference,
	content: `{"amount":${amount}}`,
	payee: 'ada@studio.example',
	amount,
});
const claimsOf = (references: string[]): Claim[] => references.map((name) => claimOf(name));

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
let execution: ExecutionOf & { workflow: string };
let process: Process;
let workflows = 0;

/** The processes that were loaded. What they have in memory belongs to a workflow each. */
const loaded: Process[] = [];
let started = 0;

function startWorkflow(): void {
	workflows += 1;
	started = 0;
	execution = { process: '1', workflow: `workflow-${workflows}` };
}

beforeEach(async () => {
	database = new N8nDatabase();
	startWorkflow();
	process = await startProcess();
});

/** A process that has nothing of this workflow in memory. */
async function startProcess(): Promise<Process> {
	const number = started;
	started += 1;
	return (loaded[number] ??= await loadProcess());
}

async function loadProcess(): Promise<Process> {
	let process: Process | undefined;
	await jest.isolateModulesAsync(async () => {
		process = {
			...(await import('../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger')),
			...(await import('../../../nodes/PartnerPayments/ledger/nodeStore/storeChange')),
		};
	});
	if (process === undefined) throw new Error('The modules were not loaded');
	return process;
}

/** What a Data Table is told of references of the node. */
async function resolved(...references: string[]) {
	const own = new process.OwnReferences(database.host(execution), SCOPE);
	const known = await own.resolve(claimsOf(references));
	return Object.fromEntries([...known].map(([claim, entry]) => [claim.reference, entry]));
}

/** Keeps references in the node's own store, as far as a run comes with each. */
async function keep(states: Record<string, 'claimed' | 'funding' | 'funded' | 'awaiting_deposit'>) {
	const ledger = process.openNodeLedger(database.host(execution), SCOPE);
	for (const [reference, state] of Object.entries(states)) {
		const claims = [claimOf(reference)];
		await ledger.claim(claims);
		if (state === 'claimed') continue;
		await ledger.begin(claims, 'funding');
		if (state !== 'funding') await ledger.settle(claims, state, { funding_id: 'f1' });
	}
}

/** How the node's own store answers to the claim of references. */
const claimed = async (...references: string[]) =>
	await process.openNodeLedger(database.host(execution), SCOPE).claim(claimsOf(references));

const storedKeys = () => database.keys(JSON.stringify([execution.workflow, 'n:node-1'])).sort();

test('what the node has paid by itself is done, and what is in doubt there stays so', async () => {
	await keep({ paid: 'funded', owed: 'awaiting_deposit', unclear: 'funding', begun: 'claimed' });
	const found = await resolved('paid', 'owed', 'unclear', 'begun', 'new');
	expect(Object.keys(found)).toEqual(['paid', 'owed', 'unclear']);
	expect(found).toMatchObject({
		paid: { state: 'funded', facts: { funding_id: 'f1' }, isNew: false },
		owed: { state: 'awaiting_deposit', facts: { funding_id: 'f1' }, isNew: false },
		unclear: { state: 'funding', isOutsideTable: true, isNew: false },
	});
});

test('what the node has paid by itself is refused for another payment, in each process', async () => {
	await keep({ paid: 'funded', unclear: 'funding' });
	for (process of [process, await startProcess()]) {
		const own = new process.OwnReferences(database.host(execution), SCOPE);
		const known = await own.resolve([claimOf('paid', 2), claimOf('unclear', 2), claimOf('new', 2)]);
		expect([...known.values()]).toEqual([
			expect.objectContaining({ message: expect.stringContaining('may have gone through') }),
			expect.objectContaining({ message: expect.stringContaining('may have gone through') }),
		]);
	}
});

test('looking leaves what the node has kept as it is', async () => {
	await keep({ paid: 'funded', unclear: 'funding' });
	await resolved('new');
	const before = storedKeys();
	await resolved('paid', 'unclear', 'new');
	expect(storedKeys()).toEqual(before);
	expect(Object.keys(await resolved('new', 'paid'))).toEqual(['paid']);
});

test('one reference is enough to be found, in each process', async () => {
	await keep({ paid: 'funded' });
	expect(Object.keys(await resolved('new', 'paid'))).toEqual(['paid']);
	process = await startProcess();
	expect(Object.keys(await resolved('new', 'paid'))).toEqual(['paid']);
});

test('the latest reference is found where n8n has forgotten the oldest keys', async () => {
	const { helpers } = database.host(execution);
	const others = Array.from({ length: 59_998 }, (_, index) => `other ${index}`);
	await keep({ first: 'funded' });
	await helpers.checkProcessedAndRecord(others, 'node', OPTIONS);
	await keep({ latest: 'funded' });
	process = await startProcess();
	expect(Object.keys(await resolved('new', 'latest'))).toEqual(['latest']);
});

test.each([[[]], [['name', 'name and table']]])(
	'a node that has kept no references by itself, but the table names %j, asks its database once',
	async (names) => {
		await database.host(execution).helpers.checkProcessedAndRecord(names, 'node', OPTIONS);
		expect(await resolved('new')).toEqual({});
		const { length } = database.statements;
		expect(await resolved('new', 'other')).toEqual({});
		expect(database.statements).toHaveLength(length);
	},
);

test('a workflow that was never saved has kept none', async () => {
	execution.workflow = '';
	expect(await resolved('new')).toEqual({});
});

test('where Remove Duplicates has the row of the lock, a table is used without it', async () => {
	const { helpers } = database.host(execution);
	await helpers.checkProcessedAndRecord(['one', 'two'], 'workflow', OPTIONS);
	expect(await resolved('new')).toEqual({});
	process = await startProcess();
	expect(await resolved('new')).toEqual({});
});

describe('a node that has kept references in a table', () => {
	test('keeps no other one by itself, in a process that did so before and in others', async () => {
		await keep({ own: 'funded' });
		const before = process;
		process = await startProcess();
		await resolved('new');
		for (process of [before, process, await startProcess()]) {
			expect(await claimed('new', 'newer')).toEqual([IN_TABLE, IN_TABLE]);
			expect(await claimed('own')).toMatchObject([{ state: 'funded' }]);
		}
	});

	test('sends nothing by itself that it has only claimed, and leaves it to the table', async () => {
		await keep({ prepared: 'claimed' });
		expect(await resolved('prepared', 'new')).toEqual({});
		for (process of [process, await startProcess()]) {
			expect(await claimed('prepared', 'new')).toEqual([IN_TABLE, IN_TABLE]);
			expect(await resolved('prepared', 'new')).toEqual({});
		}
	});

	test('begins nothing of a run that goes on by itself when the table comes into use', async () => {
		const ledger = process.openNodeLedger(database.host(execution), SCOPE);
		const claims = [claimOf('first')];
		await ledger.claim(claims);
		process = await startProcess();
		expect(await resolved('first')).toEqual({});
		expect((await ledger.begin(claims, 'funding')).size).toBe(1);
		expect(await ledger.claim([claimOf('first'), claimOf('second')])).toEqual([IN_TABLE, IN_TABLE]);
		process = await startProcess();
		expect(await resolved('first', 'second')).toEqual({});
	});

	test('stays one when its first note meets a look at what a process has left', async () => {
		await keep({ own: 'funded' });
		await database
			.host(execution)
			.helpers.checkProcessedAndRecord([JSON.stringify(['in table'])], 'node', OPTIONS);
		let note: Promise<unknown> | undefined;
		database.before = async ({ verb, scope }) => {
			await Promise.resolve();
			// The first transaction ends, which has found what was left: the next one looks at it.
			if (scope === 'workflow' && verb === 'delete') note ??= resolved('one');
		};
		await claimed('two');
		await note;
		expect(await claimed('new')).toEqual([IN_TABLE]);
		process = await startProcess();
		expect(await claimed('new')).toEqual([IN_TABLE]);
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

test('of a run by the table and one by the node, at the same time, one at most sends', async () => {
	const outcomes = new Set<string>();
	for (let delay = 0; delay < 40; delay += 1) {
		startWorkflow();
		const [table, own] = [await startProcess(), await startProcess()];
		let count = 0;
		database.before = async () => {
			count += 1;
			for (let turns = count * (delay % 7) + delay; turns > 0; turns -= 1) await Promise.resolve();
		};
		const hosts = ['1', '2'].map((name) => database.host({ ...execution, process: name }));
		const [one = database.host(execution), other = one] = hosts;
		const claims = [claimOf('both')];
		const ownBegins = async (): Promise<boolean> => {
			const ledger = own.openNodeLedger(other, SCOPE);
			const [entry] = await ledger.claim(claims);
			return !(entry instanceof Error) && (await ledger.begin(claims, 'funding')).size === 0;
		};
		const [known, isOwn] = await Promise.all([
			new table.OwnReferences(one, SCOPE).resolve(claims),
			ownBegins(),
		]);
		expect(known.size === 0 && isOwn).toBe(false);
		outcomes.add(isOwn ? 'own' : 'table');
	}
	expect([...outcomes]).toContain('table');
});
