import { randomUUID } from 'node:crypto';

import { type RunningEnvironment, startEnvironment } from '../../tools/environment';
import {
	chain,
	DatabaseFaults,
	type Execution,
	itemsFromWebhook,
	nodeError,
	type StoredWorkflow,
	successfulItems,
	type WorkflowNode,
	writesTo,
} from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { useResource } from '../n8n/support/resource';

const REMEMBER = 'Remember';
const KEYS = writesTo('processed_data');
/** Long enough for a look at n8n meanwhile. */
const DELAY_MS = 3_000;

interface Resource extends RunningEnvironment {
	faults: DatabaseFaults;
}

const resource = useResource<Resource>(
	async () => {
		const faults = await DatabaseFaults.prepare();
		return { faults, ...(await startEnvironment({ n8n: faults.startOptions })) };
	},
	async ({ stop }) => {
		await stop();
	},
);

beforeEach(async () => {
	await resource().faults.clear();
});

/** A workflow whose one node remembers the references of its items in n8n's database. */
class RememberingWorkflow {
	private constructor(
		private readonly workflow: StoredWorkflow,
		private readonly path: string,
	) {}

	static async create(): Promise<RememberingWorkflow> {
		const path = randomUUID();
		const remember: WorkflowNode = {
			...{ id: randomUUID(), name: REMEMBER, position: [480, 0] },
			...{ type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				dedupeValue: '={{ $json.reference }}',
			},
		};
		const { n8n } = resource();
		const workflow = await n8n.createWorkflow(
			chain([...itemsFromWebhook(path, 'allEntries'), remember]),
		);
		await n8n.activate(workflow.id);
		return new RememberingWorkflow(workflow, path);
	}

	get id(): string {
		return this.workflow.id;
	}

	countEnded(): number {
		return resource().n8n.database.countEnded(this.id);
	}

	async execute(...references: string[]): Promise<Execution> {
		const { n8n } = resource();
		const ended = this.countEnded();
		const items = references.map((reference) => ({ reference }));
		await n8n.client.callWebhook(this.path, { items });
		return await n8n.executions.newestOf(this.id, ended + 1);
	}
}

/** The references that are new to the workflow. */
const newReferences = (execution: Execution) =>
	successfulItems(execution, REMEMBER).map(({ json }) => json['reference']);

test('a statement that fails reaches the node, once, as an error of the database', async () => {
	const { faults } = resource();
	const workflow = await RememberingWorkflow.create();
	expect(newReferences(await workflow.execute('a'))).toEqual(['a']);
	const fault = await faults.inject({ statement: KEYS, nth: 1, fail: true });
	const failed = await workflow.execute('b');
	expect(JSON.stringify(nodeError(failed, REMEMBER))).toContain('SQLITE_BUSY');
	expect(await faults.read(fault)).toMatchObject({
		matched: 1,
		latest: expect.stringContaining('processed_data'),
	});
	expect(newReferences(await workflow.execute('a', 'b'))).toEqual(['b']);
});

test('only the statement of the chosen number fails, counted from the injection', async () => {
	const { faults } = resource();
	const workflow = await RememberingWorkflow.create();
	const counter = await faults.inject({ statement: KEYS });
	await workflow.execute('a');
	const { matched: perExecution } = await faults.read(counter);
	expect(perExecution).toBeGreaterThan(0);
	await faults.inject({ statement: KEYS, nth: perExecution + 1, fail: true });
	expect(newReferences(await workflow.execute('b'))).toEqual(['b']);
	expect(nodeError(await workflow.execute('c'), REMEMBER)).toBeDefined();
	expect(newReferences(await workflow.execute('c'))).toEqual(['c']);
});

test('only statements with the chosen value are struck', async () => {
	const { faults } = resource();
	const [one, other] = [await RememberingWorkflow.create(), await RememberingWorkflow.create()];
	await faults.inject({ statement: KEYS, value: other.id, fail: true });
	expect(newReferences(await one.execute('a'))).toEqual(['a']);
	expect(nodeError(await other.execute('a'), REMEMBER)).toBeDefined();
});

test('a statement that is delayed holds up the execution, which then goes on', async () => {
	const { faults } = resource();
	const workflow = await RememberingWorkflow.create();
	const fault = await faults.inject({ statement: KEYS, nth: 1, delayMs: DELAY_MS });
	const execution = workflow.execute('a');
	await poll('the statement', async () => (await faults.read(fault)).matched || undefined);
	expect(workflow.countEnded()).toBe(0);
	expect(newReferences(await execution)).toEqual(['a']);
	expect(newReferences(await workflow.execute('a'))).toEqual([]);
});
