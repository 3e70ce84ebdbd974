import { begins, claimOf, otherContentOf } from './ledgerContract-support';
import { N8nProcesses } from './n8nProcesses';

const [PAID, OWED, UNCLEAR] = [claimOf('paid'), claimOf('owed'), claimOf('unclear')];
const [BEGUN, UNKNOWN] = [claimOf('begun'), claimOf('unknown')];
const IN_TABLE = expect.objectContaining({
	message: expect.stringContaining('keeps its references in a Data Table'),
});

let n8n: N8nProcesses;

beforeEach(() => {
	n8n = new N8nProcesses();
});

/** A node that has paid, and more, in a process that lives on. */
async function keepReferences(): Promise<void> {
	const run = await n8n.open({ process: 'old' });
	await run.claim([PAID, OWED, UNCLEAR, BEGUN]);
	for (const claim of [PAID, OWED, UNCLEAR]) await run.begin([claim], 'funding');
	await run.settle([PAID], 'funded', { funding_id: 'fund-1' });
	await run.settle([OWED], 'awaiting_deposit', { funding_id: 'fund-2' });
}

test('what a node has paid by itself is done for its table, in doubt what was, and refused for another payment', async () => {
	await keepReferences();
	for (const process of ['old', 'new']) {
		expect([...(await n8n.resolve([UNKNOWN, PAID, OWED, UNCLEAR, BEGUN], process))]).toEqual([
			[PAID, expect.objectContaining({ state: 'funded', isNew: false })],
			[OWED, expect.objectContaining({ state: 'awaiting_deposit', isNew: false })],
			[UNCLEAR, expect.objectContaining({ state: 'funding', isOutsideTable: true })],
		]);
		const refused = await n8n.resolve([PAID, UNCLEAR, UNKNOWN].map(otherContentOf), process);
		expect([...refused.values()]).toMatchObject([{ name: 'InputError' }, { name: 'InputError' }]);
	}
});

test('a node that has kept references in a table sends nothing by itself, in no process', async () => {
	await keepReferences();
	const earlier = await n8n.open({ process: 'old' });
	await earlier.claim([BEGUN]);
	expect(await n8n.resolve([BEGUN, UNKNOWN])).toEqual(new Map());
	expect(await begins(earlier, [BEGUN])).toBe(false);
	for (const process of ['old', 'new', 'newest']) {
		const run = await n8n.open({ process });
		expect(await run.claim([BEGUN, UNKNOWN, PAID])).toEqual([
			IN_TABLE,
			IN_TABLE,
			expect.objectContaining({ state: 'funded' }),
		]);
		expect(await n8n.resolve([BEGUN, UNKNOWN])).toEqual(new Map());
	}
});

/** What a process leaves in the database that dies while it looks for a key, or notes it. */
async function leaveKey(name: string): Promise<void> {
	const { helpers } = n8n.database.host({ process: 'dead', workflow: n8n.workflow });
	await helpers.checkProcessedAndRecord([JSON.stringify([name])], 'node', { mode: 'entries' });
}

test('a process that has died while it looked for a table does not stop the node', async () => {
	for (const claim of [PAID, OWED, UNCLEAR]) {
		await leaveKey('in table');
		const run = await n8n.open();
		expect(await run.claim([claim])).toMatchObject([{ isNew: true }]);
		await leaveKey('in table');
		expect(await begins(run, [claim])).toBe(true);
	}
	for (const key of ['in table', 'is certain']) await leaveKey(key);
	expect(await (await n8n.open()).claim([UNKNOWN])).toEqual([IN_TABLE]);
});

test('that a table is used is not lost when it is noted while another process looks', async () => {
	await keepReferences();
	await leaveKey('in table');
	let note: Promise<unknown> | undefined;
	n8n.database.before = async ({ verb, scope }) => {
		await Promise.resolve();
		// The first transaction ends, which has found what was left: the next one looks at it.
		if (scope === 'workflow' && verb === 'delete') note ??= n8n.resolve([PAID], 'old');
	};
	await (await n8n.open({ process: 'old' })).claim([UNKNOWN]);
	await note;
	expect(await (await n8n.open()).claim([BEGUN, UNKNOWN])).toEqual([IN_TABLE, IN_TABLE]);
});

test('of a run with the table and one with the node, at the same time, one at most sends', async () => {
	const outcomes = new Set<string>();
	for (let delay = 0; delay < 40; delay += 1) {
		n8n = new N8nProcesses();
		let count = 0;
		n8n.database.before = async () => {
			count += 1;
			for (let turns = count * (delay % 7) + delay; turns > 0; turns -= 1) await Promise.resolve();
		};
		const ownBegins = async (): Promise<boolean> => {
			const run = await n8n.open({ process: 'node' });
			const [entry] = await run.claim([PAID]);
			return !(entry instanceof Error) && (await begins(run, [PAID]));
		};
		const [known, isOwn] = await Promise.all([n8n.resolve([PAID], 'table'), ownBegins()]);
		expect(known.size === 0 && isOwn).toBe(false);
		outcomes.add(isOwn ? 'node' : 'table');
	}
	expect(outcomes).toContain('table');
});
