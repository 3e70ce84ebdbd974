import { UsedTable } from '../../../nodes/PartnerPayments/ledger/usedTable';
import type * as module from '../../../nodes/PartnerPayments/ledger/usedTable';
import { N8nDatabase } from './n8nDatabase';

let nodes = 0;

/** A node, whose memory each process reads anew. */
class RememberingNode {
	readonly database = new N8nDatabase();
	private readonly node = `node-${(nodes += 1)}`;

	/** The memory, as a process that has just started sees it. */
	async memory(): Promise<module.UsedTable> {
		let loaded: typeof module | undefined;
		await jest.isolateModulesAsync(async () => {
			loaded = await import('../../../nodes/PartnerPayments/ledger/usedTable');
		});
		const host = this.database.host({ process: 'any', node: this.node });
		return new (loaded?.UsedTable ?? UsedTable)(host);
	}
}

test('a node accepts the first table in every process', async () => {
	const node = new RememberingNode();
	expect(await (await node.memory()).isAny()).toBe(false);
	expect(await (await node.memory()).accept('one')).toBe(true);
	expect(await (await node.memory()).isAny()).toBe(true);
	expect(await (await node.memory()).accept('one')).toBe(true);
});

test('a node that has looked at another table pays with neither before a person confirms one', async () => {
	const node = new RememberingNode();
	await (await node.memory()).accept('one');
	expect(await (await node.memory()).accept('other')).toBe(false);
	expect(await (await node.memory()).accept('other')).toBe(false);
	expect(await (await node.memory()).accept('one')).toBe(false);
});

test('of executions at once, in processes that have just started, none accepts another table', async () => {
	for (let round = 0; round < 10; round += 1) {
		const node = new RememberingNode();
		await (await node.memory()).accept('one');
		node.database.before = async () => {
			await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
		};
		const memories = [await node.memory(), await node.memory(), await node.memory()];
		const accepted = await Promise.all(
			memories.map(async (memory) => await memory.accept('other')),
		);
		expect(accepted).toEqual([false, false, false]);
	}
});

test('a table that a person has confirmed replaces the one before, which is refused then', async () => {
	const node = new RememberingNode();
	await (await node.memory()).accept('one');
	await (await node.memory()).replace('other');
	expect(await (await node.memory()).accept('other')).toBe(true);
	expect(await (await node.memory()).accept('one')).toBe(false);
});

test('two processes that remember the same table at once both may use it', async () => {
	const node = new RememberingNode();
	const memories = [await node.memory(), await node.memory()];
	const accepted = await Promise.all(memories.map(async (memory) => await memory.accept('one')));
	expect(accepted).toEqual([true, true]);
});

test('a database that does not work lets no table be used', async () => {
	const node = new RememberingNode();
	node.database.before = async () => await Promise.reject(new Error('connection lost'));
	await expect((await node.memory()).accept('one')).rejects.toThrow(/cannot store/);
});
