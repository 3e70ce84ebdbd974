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

test('a node accepts the first table, and no other one, in every process', async () => {
	const node = new RememberingNode();
	expect(await (await node.memory()).isAny()).toBe(false);
	expect(await (await node.memory()).accept('one')).toBe(true);
	expect(await (await node.memory()).isAny()).toBe(true);
	expect(await (await node.memory()).accept('other')).toBe(false);
	expect(await (await node.memory()).accept('other')).toBe(false);
	expect(await (await node.memory()).accept('one')).toBe(true);
});

test('a table that a person has confirmed replaces the one before, which is refused then', async () => {
	const node = new RememberingNode();
	await (await node.memory()).accept('one');
	await (await node.memory()).replace('other');
	expect(await (await node.memory()).accept('other')).toBe(true);
	expect(await (await node.memory()).accept('one')).toBe(false);
});

test('a process that dies while it looks for another table does not make it the own one', async () => {
	const node = new RememberingNode();
	await (await node.memory()).accept('one');
	const { before } = node.database;
	let writes = 0;
	node.database.before = async ({ verb }) => {
		if (verb === 'update' && (writes += 1) > 1) {
			await new Promise<void>(() => undefined);
		}
		await Promise.resolve();
	};
	void (await node.memory()).accept('other');
	await new Promise((resolve) => setImmediate(resolve));
	node.database.before = before;

	expect(await (await node.memory()).accept('other')).toBe(false);
	expect(await (await node.memory()).accept('one')).toBe(true);
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
