import { type Credential, START, successfulItems, type WorkflowNode } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { depositTriggerOf, pollIn } from '../n8n/support/depositTrigger';
import { useFixtureOn, useOwnN8n } from '../n8n/support/fixture';

const n8n = useOwnN8n();
const fixture = useFixtureOn(n8n);
let credential: Credential;
const { deposit, publish, republish } = depositTriggerOf(fixture, () => credential);

beforeAll(async () => {
	credential = await fixture().createClient();
});

test('a poll of the schedule that fails is an execution that failed, and the next starts with what is new', async () => {
	const workflow = await publish({ polls: [pollIn(6), pollIn(9)] });
	const first = await deposit(100);
	const match = { operationId: 'getDeposits' };
	await fixture().sandbox.control.addFault({ kind: 'status', status: 403, times: 1, match });

	const failed = await n8n().executions.newestOf(workflow.id, 1);

	expect(failed.data.resultData.error?.message).toMatch(/^Could not get the deposits/);

	const next = await n8n().executions.newestOf(workflow.id, 2);

	expect(next).toMatchObject({ mode: 'trigger', status: 'success' });
	expect(successfulItems(next, START)).toMatchObject([
		{ json: { id: first, amount: 100, status: 'unlinked' } },
	]);

	await n8n().deactivate(workflow.id);
});

test('n8n that is killed while an execution runs starts another with the deposit', async () => {
	const wait: WorkflowNode = {
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		position: [240, 0],
		parameters: { amount: 5, unit: 'seconds' },
	};

	const workflow = await publish({ nodes: [wait] });
	const first = await deposit();
	await republish(workflow);
	const isRunning = (): true | undefined =>
		n8n()
			.database.executions(workflow.id)
			.some(({ status }) => status === 'running') || undefined;

	await poll('an execution', isRunning);
	await n8n().crash();

	const execution = await n8n().executions.newestOf(workflow.id, 2);

	expect(successfulItems(execution, START)).toMatchObject([{ json: { id: first } }]);

	await n8n().deactivate(workflow.id);
});
