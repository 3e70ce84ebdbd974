import { randomUUID } from 'node:crypto';

import {
	chain,
	type Credential,
	credentialsOf,
	itemsFromWebhook,
	type OnError,
	type WebhookAnswer,
	type Workflow,
	type WorkflowNode,
} from '../n8n';

/** The name of the node that works. */
export const PARTNER_PAYMENTS = 'Partner Payments';

/** How this package's node is used. */
export interface OurWorkflow {
	/** Path of the webhook that starts it. */
	path: string;
	answer: WebhookAnswer;
	workspaceId: string;
	credential: Credential;
	onError?: OnError;
	retryOnFail?: boolean;
	/** Of the operation that pays. */
	options?: Record<string, unknown>;
}

/** What the workflow's items hold, under the parameters' names. */
const FROM_ITEM = {
	payeeIdentifiedBy: 'email',
	payeeEmail: '={{ $json.email }}',
	amount: '={{ $json.amount }}',
	amountUnit: 'minor',
	description: '={{ $json.description }}',
};

/** A workflow that pays with one node. */
export const ourPayouts = (workflow: OurWorkflow): Workflow =>
	ourWorkflow(workflow, {
		resource: 'payout',
		operation: 'send',
		...FROM_ITEM,
		fundingMethod: 'balance',
		uniqueReference: '={{ $json.reference }}',
		options: workflow.options ?? {},
	});

/** A workflow that only creates payables. */
export const ourPayables = (workflow: OurWorkflow): Workflow =>
	ourWorkflow(workflow, { resource: 'payable', operation: 'create', ...FROM_ITEM });

function ourWorkflow(workflow: OurWorkflow, parameters: Record<string, unknown>): Workflow {
	const { path, answer, workspaceId, credential, onError, retryOnFail } = workflow;
	const node: WorkflowNode = {
		// What n8n keeps for a node, it keeps under this.
		id: randomUUID(),
		name: PARTNER_PAYMENTS,
		type: 'n8n-nodes-partner-payments.partnerPayments',
		typeVersion: 1,
		position: [480, 0],
		parameters: {
			authentication: 'clientCredentials',
			workspaceId: { __rl: true, mode: 'id', value: workspaceId },
			...parameters,
		},
		credentials: credentialsOf([credential]),
		...(onError && { onError }),
		...(retryOnFail === true && { retryOnFail, maxTries: 3, waitBetweenTries: 500 }),
	};
	return chain([...itemsFromWebhook(path, answer), node]);
}
