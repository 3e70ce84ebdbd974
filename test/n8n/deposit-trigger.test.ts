import { randomUUID } from 'node:crypto';

import {
	type Credential,
	credentialsOf,
	NODE_UNDER_TEST,
	START,
	successfulItems,
	type WorkflowNode,
} from '../../tools/n8n';
import { depositTriggerOf } from './support/depositTrigger';
import { useFixture } from './support/fixture';

const fixture = useFixture();
let credential: Credential;
const { create, deposit, publish, republish, started } = depositTriggerOf(
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

const action = (parameters: Record<string, unknown>): WorkflowNode => ({
	id: randomUUID(),
	name: NODE_UNDER_TEST,
	type: 'n8n-nodes-partner-payments.partnerPayments',
	typeVersion: 1,
	position: [240, 0],
	parameters,
	credentials: credentialsOf([credential]),
});

test('what is there before the first poll starts the workflow where that is asked for', async () => {
	const first = await deposit();
	const parameters = { options: { includeExisting: true } };
	const workflow = await publish({ parameters });
	expect(await started(workflow, 1)).toEqual([[first]]);
	await fixture().n8n.deactivate(workflow.id);
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
	expect(n8n.database.staticData(id)).toEqual([]);
});
