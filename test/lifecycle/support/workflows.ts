import { randomUUID } from 'node:crypto';

import {
	byId,
	chain,
	type Credential,
	credentialsOf,
	NODE_UNDER_TEST,
	type WorkflowNode,
	workflowWithTrigger,
} from '../../../tools/n8n';
import { payoutParameters } from '../../../tools/payouts/payout';
import type { TriggerFixture } from '../../n8n/support/trigger';

/** A node that pays with the parameters of a test. */
export const payoutNode = (
	workspaceId: string,
	credential: Credential,
	change: object,
): WorkflowNode => ({
	id: randomUUID(),
	name: NODE_UNDER_TEST,
	type: 'n8n-nodes-partner-payments.partnerPayments',
	typeVersion: 1,
	position: [240, 0],
	parameters: payoutParameters(workspaceId, change),
	credentials: credentialsOf([credential]),
});

/** A workflow that pays a vendor once when its status changes, and remembers the payout in the node. */
export async function payingWorkflow({ fixture, signing }: TriggerFixture) {
	const { n8n, sandbox } = fixture();
	const workspaceId = byId(sandbox.workspaceId);
	const parameters = { workspaceId, events: ['partnerStatusChanged'] };
	const payout = payoutNode(sandbox.workspaceId, signing(), {
		payeeEmail: sandbox.verifiedVendorEmail,
		amount: '100',
		uniqueReference: '={{ $json.partner_id }}',
	});
	const trigger = workflowWithTrigger(parameters, signing());
	const workflow = await n8n.createWorkflow(chain([...trigger.nodes, payout]));
	await n8n.activate(workflow.id);
	return { workflow, url: (await sandbox.control.subscriptions()).at(-1)?.url ?? '' };
}

/** The client gets another secret, and the user enters it in the credential. */
export async function changeSecret(
	{ fixture }: TriggerFixture,
	{ id, name, type }: Credential,
	clientSecret: string,
): Promise<void> {
	const { n8n, sandbox, credentialData } = fixture();
	await sandbox.control.setClientSecret(sandbox.clientId, clientSecret);
	const data = { ...credentialData, clientSecret };
	await n8n.client.rest('PATCH', `/credentials/${id}`, { name, type, data });
}
