import { randomUUID } from 'node:crypto';

import {
	chain,
	type DatabaseFaults,
	type Execution,
	itemsFromWebhook,
	type N8n,
	nodeError,
	successfulItems,
	writesTo,
} from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';

const REMEMBER = 'Remember';
const KEYS = writesTo('processed_data');
/** Long enough for a look at n8n meanwhile. */
const DELAY_MS = 3_000;

/** The references that are new to the workflow. */
const newReferences = (execution: Execution) =>
	successfulItems(execution, REMEMBER).map(({ json }) => json['reference']);

/** Tests that a fault strikes the statement that it is meant for, with n8n's own node for duplicates. */
export function testStatements(fixture: () => { n8n: N8n; faults: DatabaseFaults }): void {
	const path = randomUUID();
	let workflowId: string;

	beforeAll(async () => {
		const { n8n } = fixture();
		const { id } = await n8n.createWorkflow(
			chain([
				...itemsFromWebhook(path, 'allEntries'),
				{
					...{ id: randomUUID(), name: REMEMBER, position: [480, 0] },
					...{ type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
					parameters: {
						operation: 'removeItemsSeenInPreviousExecutions',
						dedupeValue: '={{ $json.reference }}',
					},
				},
			]),
		);
		await n8n.activate(id);
		workflowId = id;
	});

	const execute = async (...references: string[]): Promise<Execution> => {
		const { client, executions } = fixture().n8n;
		await client.callWebhook(path, { items: references.map((reference) => ({ reference })) });
		const ended = await executions.allFinished(workflowId);
		const newest = ended.at(-1);
		if (newest === undefined) throw new Error('Nothing was executed');
		return newest;
	};

	test('a statement that fails reaches the node, once, as an error of the database', async () => {
		const { faults } = fixture();
		expect(newReferences(await execute('a'))).toEqual(['a']);
		const fault = await faults.inject({ statement: KEYS, nth: 1, fail: true });
		const failed = await execute('b');
		expect(JSON.stringify(nodeError(failed, REMEMBER))).toContain('SQLITE_BUSY');
		const { matched, latest } = await faults.read(fault);
		expect(matched).toBe(1);
		expect(latest).toContain('processed_data');
		expect(newReferences(await execute('a', 'b'))).toEqual(['b']);
	});

	test('a statement that is delayed holds up the execution, which then continues', async () => {
		const { faults, n8n } = fixture();
		const endedBefore = n8n.database.countEnded(workflowId);
		const fault = await faults.inject({ statement: KEYS, nth: 1, delayMs: DELAY_MS });
		const execution = execute('f');
		await poll('the statement', async () => (await faults.read(fault)).matched || undefined);
		expect(n8n.database.countEnded(workflowId)).toBe(endedBefore);
		expect(newReferences(await execution)).toEqual(['f']);
		expect(newReferences(await execute('f'))).toEqual([]);
	});
}
