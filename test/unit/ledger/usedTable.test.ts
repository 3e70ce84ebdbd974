import { UsedTable, type KnownTables } from '../../../nodes/PartnerPayments/ledger/usedTable';
import { elapse, useFakeTime } from '../../support/fakeTime';
import { N8nDatabase } from './n8nDatabase';

let nodes = 0;

/** A node, whose memory each process reads anew. */
class RememberingNode {
	readonly database = new N8nDatabase();
	private readonly node = `node-${(nodes += 1)}`;

	/** The memory, as a process that has just started sees it. */
	memory(known: KnownTables = new Map()): UsedTable {
		const host = this.database.host({ process: 'any', node: this.node });
		return new UsedTable(host, known);
	}
}

test('a node accepts the first table in every process', async () => {
	const node = new RememberingNode();
	expect(await node.memory().mayCreateTable()).toBe(true);
	expect(await node.memory().accept('one')).toBe(true);
	expect(await node.memory().mayCreateTable()).toBe(false);
	expect(await node.memory().accept('one')).toBe(true);
});

test('a node that has looked at another table pays with neither before a person confirms one', async () => {
	const node = new RememberingNode();
	await node.memory().accept('one');
	expect(await node.memory().accept('other')).toBe(false);
	expect(await node.memory().accept('other')).toBe(false);
	expect(await node.memory().accept('one')).toBe(false);
});

test('of executions at once, in processes that have just started, none accepts another table', async () => {
	for (let round = 0; round < 10; round += 1) {
		const node = new RememberingNode();
		await node.memory().accept('one');
		node.database.before = async () => {
			await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
		};
		const memories = [node.memory(), node.memory(), node.memory()];
		const accepted = await Promise.all(
			memories.map(async (memory) => await memory.accept('other')),
		);
		expect(accepted).toEqual([false, false, false]);
	}
});

test('a table that a person has confirmed replaces the one before, which is refused then', async () => {
	const node = new RememberingNode();
	await node.memory().accept('one');
	await node.memory().replace('other');
	expect(await node.memory().accept('other')).toBe(true);
	expect(await node.memory().accept('one')).toBe(false);
});

test('two processes that remember the same table at once both may use it', async () => {
	const node = new RememberingNode();
	const memories = [node.memory(), node.memory()];
	const accepted = await Promise.all(memories.map(async (memory) => await memory.accept('one')));
	expect(accepted).toEqual([true, true]);
});

describe('a process that has paid', () => {
	test('knows the table of its node, whatever becomes of its database', async () => {
		const node = new RememberingNode();
		const known: KnownTables = new Map();
		await node.memory(known).accept('one');
		node.database.before = async () => await Promise.reject(new Error('connection lost'));

		expect(await node.memory(known).mayCreateTable()).toBe(false);
		expect(await node.memory(known).accept('one')).toBe(true);
		expect(await node.memory(known).accept('other')).toBe(false);
	});

	test('knows nothing of the table of another node', async () => {
		const known: KnownTables = new Map();
		await new RememberingNode().memory(known).accept('one');

		expect(await new RememberingNode().memory(known).accept('other')).toBe(true);
	});
});

describe('a database that does not work', () => {
	useFakeTime();

	test('lets no table be used', async () => {
		const node = new RememberingNode();
		node.database.before = async () => await Promise.reject(new Error('connection lost'));

		const accepted = elapse(node.memory().accept('one'));

		await expect(accepted).rejects.toThrow(/cannot store/);
	});
});
