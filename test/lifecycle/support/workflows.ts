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
import { createLedgerCredential, ledgerParameters } from '../../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../../tools/payouts/payout';
import type { Fixture } from '../../n8n/support/fixture';
import { PayoutWorkflow } from '../../n8n/support/payouts';
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

/** A workflow that remembers in one store; `change` has it use the other, and ends before a restart. */
export async function changingWorkflow(
	{ n8n, sandbox, createClient, ledgerTable }: Fixture,
	from: 'node' | 'dataTable',
) {
	const workflow = await PayoutWorkflow.create(
		n8n,
		await createClient(),
		payoutParameters(sandbox.workspaceId, ledgerParameters(from, ledgerTable)),
		{
			onError: 'continueRegularOutput',
			ledgerCredential: await createLedgerCredential(n8n),
		},
	);
	const change = async () => {
		const { workflow: stored } = workflow;
		const store = {
			...ledgerParameters('dataTable', ledgerTable),
			rememberIn: from === 'node' ? 'dataTable' : 'node',
		};
		const nodes = stored.nodes.map((node) =>
			node.parameters['resource'] === 'payout'
				? { ...node, parameters: { ...node.parameters, ...store } }
				: node,
		);
		await n8n.deactivate(stored.id);
		await n8n.saveWorkflow({ ...stored, nodes });
		return async () => {
			await n8n.activate(stored.id);
		};
	};
	return { workflow, change };
}

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
