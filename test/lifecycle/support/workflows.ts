import { randomUUID } from 'node:crypto';

import {
	byId,
	chain,
	credentialsOf,
	NODE_UNDER_TEST,
	workflowWithTrigger,
} from '../../../tools/n8n';
import { payoutParameters } from '../../../tools/payouts/payout';
import type { TriggerFixture } from '../../n8n/support/trigger';

/** A workflow that pays a vendor once when its status changes, and remembers the payout in the node. */
export async function payingWorkflow({ fixture, signing }: TriggerFixture) {
	const { n8n, sandbox } = fixture();
	const workspaceId = byId(sandbox.workspaceId);
	const parameters = { workspaceId, events: ['partnerStatusChanged'] };
	const payout = {
		id: randomUUID(),
		name: NODE_UNDER_TEST,
		type: 'n8n-nodes-partner-payments.partnerPayments',
		typeVersion: 1,
		position: [240, 0] satisfies [number, number],
		parameters: payoutParameters(sandbox.workspaceId, {
			payeeEmail: sandbox.verifiedVendorEmail,
			amount: '100',
			uniqueReference: '={{ $json.partner_id }}',
		}),
		credentials: credentialsOf([signing()]),
	};
	const trigger = workflowWithTrigger(parameters, signing());
	const workflow = await n8n.createWorkflow(chain([...trigger.nodes, payout]));
	await n8n.activate(workflow.id);
	return { workflow, url: (await sandbox.control.subscriptions()).at(-1)?.url ?? '' };
}
