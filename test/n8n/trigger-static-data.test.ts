import { randomUUID } from 'node:crypto';

import {
	byId,
	chain,
	credentialsOf,
	type Execution,
	NODE_UNDER_TEST,
	type StoredWorkflow,
	successfulItems,
	type WorkflowNode,
	workflowWithTrigger,
} from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/payout';
import { deliverSigned, SECRET, useTrigger } from './support/trigger';

const { fixture, countSubscriptions, executionsOf, signing } = useTrigger();

let workflow: StoredWorkflow;
let url: string;

/** A workflow that pays a vendor once when its status changes, and remembers the payout in the node. */
beforeEach(async () => {
	const { n8n, sandbox } = fixture();
	const workspaceId = byId(sandbox.workspaceId);
	const trigger = workflowWithTrigger({ workspaceId, events: ['partnerStatusChanged'] }, signing());
	const payout: WorkflowNode = {
		id: randomUUID(),
		name: NODE_UNDER_TEST,
		type: 'n8n-nodes-partner-payments.partnerPayments',
		typeVersion: 1,
		position: [240, 0],
		parameters: payoutParameters(sandbox.workspaceId, {
			payeeEmail: sandbox.verifiedVendorEmail,
			amount: '100',
			uniqueReference: '={{ $json.partner_id }}',
		}),
		credentials: credentialsOf([signing()]),
	};
	workflow = await n8n.createWorkflow(chain([...trigger.nodes, payout]));
	await n8n.activate(workflow.id);
	url = (await sandbox.control.subscriptions()).at(-1)?.url ?? '';
});

const changed = (partnerId: string) => ({
	id: randomUUID(),
	event_type: 'partner.status_changed',
	workspace_id: fixture().sandbox.workspaceId,
	data: { partner: { id: partnerId, status: 'verified' } },
});

const deliver = async (event: object): Promise<void> => {
	expect((await deliverSigned(url, event, SECRET)).status).toBe(200);
};

/** What the payout node put out, in the order of the executions. */
const outputs = (executions: Execution[]) =>
	executions.flatMap((execution) =>
		successfulItems(execution, NODE_UNDER_TEST).map(({ json }) => json),
	);

const CREATE_FUNDING = { match: { operationId: 'createFunding' } };

test('an event that has led to a payout starts nothing after a restart', async () => {
	const { n8n } = fixture();
	const made = await countSubscriptions();
	const event = changed(randomUUID());
	await deliver(event);
	expect(outputs(await executionsOf(workflow))).toMatchObject([{ status: 'funded' }]);
	await n8n.restart();
	await deliver(event);
	expect(await executionsOf(workflow)).toHaveLength(1);
	expect(await made()).toBe(0);
});

test('events and payouts at the same time are all known after a restart', async () => {
	const { n8n, sandbox } = fixture();
	await sandbox.control.addFault({ kind: 'latency', ms: 1500, times: 3, ...CREATE_FUNDING });
	const events = Array.from({ length: 3 }, () => changed(randomUUID()));
	for (const event of events) await deliver(event);
	const paid = outputs(await executionsOf(workflow));
	expect(paid).toHaveLength(3);

	await n8n.restart();
	for (const event of events) await deliver(event);
	expect(await executionsOf(workflow)).toHaveLength(3);
	// Another event about the same vendor: what its payout led to is known, with its IDs.
	for (const { data } of events) await deliver(changed(data.partner.id));
	const again = outputs((await executionsOf(workflow)).slice(3));
	expect(again).toHaveLength(3);
	for (const { unique_reference: reference, payable_id: payable, funding_id: funding } of paid) {
		expect(again).toContainEqual(
			expect.objectContaining({
				status: 'duplicate',
				unique_reference: reference,
				payable_id: payable,
				funding_id: funding,
			}),
		);
	}
});

test('a payout that is retried, where n8n loads no static data, leaves the events as they are', async () => {
	const { n8n, sandbox } = fixture();
	const made = await countSubscriptions();
	await sandbox.control.addFault({
		...{ kind: 'status', status: 422, match: { operationId: 'createPayable' } },
		body: { error: { message: 'Not now' } },
	});
	const event = changed(randomUUID());
	await deliver(event);
	const [failed] = await executionsOf(workflow);
	expect(failed?.status).toBe('error');
	await n8n.restart();
	await n8n.client.rest('POST', `/executions/${failed?.id}/retry`, { loadWorkflow: false });
	expect(outputs((await executionsOf(workflow)).slice(1))).toMatchObject([{ status: 'funded' }]);

	await n8n.restart();
	await deliver(event);
	expect(await executionsOf(workflow)).toHaveLength(2);
	expect(await made()).toBe(0);
});
