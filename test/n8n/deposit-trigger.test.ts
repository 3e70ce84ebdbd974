import { randomUUID } from 'node:crypto';

import {
	type Credential,
	credentialsOf,
	NODE_UNDER_TEST,
	START,
	successfulItems,
	type WorkflowNode,
} from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { payoutParameters } from '../../tools/payouts/payout';
import { depositTriggerOf, pollIn } from './support/depositTrigger';
import { useFixture } from './support/fixture';

const fixture = useFixture();
let credential: Credential;
const { asked, create, deposit, publish, republish, started } = depositTriggerOf(
	fixture,
	() => credential,
);

beforeAll(async () => {
	credential = await fixture().createClient();
});

beforeEach(async () => {
	const { control } = fixture().sandbox;
	await control.reset();
	await control.setRequestsPerMinute(100_000);
	await control.clearFaults();
	await control.clearRequests();
});

const GET_DEPOSITS = { operationId: 'getDeposits' };

const action = (parameters: Record<string, unknown>): WorkflowNode => ({
	id: randomUUID(),
	name: NODE_UNDER_TEST,
	type: 'n8n-nodes-partner-payments.partnerPayments',
	typeVersion: 1,
	position: [240, 0],
	parameters,
	credentials: credentialsOf([credential]),
});

test('a poll starts one execution with the deposits that have come, and none with those before', async () => {
	await deposit();
	const workflow = await publish({ polls: [pollIn(6), pollIn(9)] });
	const [first, second] = [await deposit(100), await deposit(200)];
	await asked(3);
	expect(await started(workflow, 1)).toEqual([[first, second]]);
	const [execution] = await fixture().n8n.executions.list(workflow.id);
	expect(execution).toMatchObject({ mode: 'trigger', status: 'success' });
	if (execution === undefined) throw new Error('Nothing was started');
	expect(successfulItems(execution, START)[0]?.json).toMatchObject({
		id: first,
		amount: 100,
		status: 'unlinked',
	});
	await fixture().n8n.deactivate(workflow.id);
});

test('a restart and publishing again start nothing with a deposit that has started', async () => {
	const { n8n } = fixture();
	const workflow = await publish();
	const first = await deposit();
	await republish(workflow);
	expect(await started(workflow, 1)).toEqual([[first]]);
	await republish(workflow);
	const second = await deposit();
	await n8n.restart();
	expect(await started(workflow, 2)).toEqual([[first], [second]]);
	await n8n.deactivate(workflow.id);
});

test('what is there before the first poll starts the workflow where that is asked for', async () => {
	const first = await deposit();
	const parameters = { options: { includeExisting: true } };
	const workflow = await publish({ parameters });
	expect(await started(workflow, 1)).toEqual([[first]]);
	await fixture().n8n.deactivate(workflow.id);
});

test('n8n that is killed while an execution runs starts another with the deposit', async () => {
	const { n8n } = fixture();
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
		n8n.database.executions(workflow.id).some(({ status }) => status === 'running') || undefined;
	await poll('an execution', isRunning);
	await n8n.crash();
	const execution = await n8n.executions.newestOf(workflow.id, 2);
	expect(successfulItems(execution, START)).toMatchObject([{ json: { id: first } }]);
	await n8n.deactivate(workflow.id);
});

test('a deposit that the workflow links starts it once', async () => {
	const { n8n, sandbox } = fixture();
	const owed = {
		workspace_id: sandbox.workspaceId,
		amount: 4_200,
		amount_denomination: 'us_cents',
	};
	const api = await sandbox.api();
	const payee = { payee_email: sandbox.verifiedVendorEmail };
	const created = await api.post<{ payable: { id: string } }>('/payable', { ...owed, ...payee });
	await api.post(`/payable/${created.data.payable.id}/approve`);
	const invoice = { ...owed, method: 'invoice', payable_ids: [created.data.payable.id] };
	const { data } = await api.post<{ funding: { id: string } }>('/funding', invoice);

	const link = action({
		resource: 'funding',
		operation: 'linkDeposit',
		fundingId: data.funding.id,
		depositId: '={{ $json.id }}',
	});
	const workflow = await publish({ nodes: [link] });
	const first = await deposit(4_200);
	await republish(workflow);
	expect(await started(workflow, 1)).toEqual([[first]]);
	expect(await sandbox.control.payables()).toMatchObject([{ status: 'paid' }]);
	await republish(workflow);
	expect(await started(workflow, 1)).toHaveLength(1);
	await n8n.deactivate(workflow.id);
});

test('what a payout in the same workflow keeps and what the trigger keeps outlast a restart', async () => {
	const { n8n, sandbox } = fixture();
	const payout = action(
		payoutParameters(sandbox.workspaceId, {
			payeeEmail: sandbox.verifiedVendorEmail,
			amount: '100',
			uniqueReference: '={{ $json.id }}',
		}),
	);
	const workflow = await publish({ nodes: [payout] });
	const first = await deposit();
	await republish(workflow);
	await started(workflow, 1);
	await n8n.restart();
	const second = await deposit();
	await republish(workflow);
	expect(await started(workflow, 2)).toEqual([[first], [second]]);
	expect(await sandbox.control.fundings()).toHaveLength(2);
	const kept = JSON.stringify(n8n.database.staticData());
	for (const { id } of workflow.nodes) expect(kept).toContain(id);
	await n8n.deactivate(workflow.id);
});

test('a failing poll is an execution that failed, and the next poll starts with what is new', async () => {
	const { n8n, sandbox } = fixture();
	const workflow = await publish({ polls: [pollIn(6), pollIn(9)] });
	const first = await deposit();
	await sandbox.control.addFault({ kind: 'status', status: 403, times: 1, match: GET_DEPOSITS });
	const execution = await n8n.executions.newestOf(workflow.id, 1);
	expect(execution.data.resultData.error?.message).toMatch(/^Could not get the deposits/);
	const next = await n8n.executions.newestOf(workflow.id, 2);
	expect(successfulItems(next, START)).toMatchObject([{ json: { id: first } }]);
	await n8n.deactivate(workflow.id);
});

test('a workflow whose first poll fails is not published, and says why', async () => {
	const { n8n, sandbox } = fixture();
	// n8n tries an activation five times.
	await sandbox.control.addFault({ kind: 'status', status: 403, times: 5, match: GET_DEPOSITS });
	const { id } = await create();
	await expect(n8n.activate(id)).rejects.toThrow(/Could not get the deposits/);
	await n8n.deactivate(id);
});

test('fetching a test event shows what is there, each time anew', async () => {
	const { n8n } = fixture();
	const { id } = await create();
	const none = await n8n.runManually(id);
	expect(none.data.resultData.error).toMatchObject({
		message: 'The workspace has no unlinked deposit now',
		description: expect.stringContaining('Deposit: Simulate'),
	});
	const first = await deposit();
	for (let round = 0; round < 2; round += 1) {
		const shown = await n8n.runManually(id);
		expect(successfulItems(shown, START)).toMatchObject([{ json: { id: first } }]);
	}
	expect(JSON.stringify(n8n.database.staticData())).not.toContain(id);
});
