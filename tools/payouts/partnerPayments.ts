/** Payouts with this package's node. */
import { randomUUID } from 'node:crypto';

import {
	byId,
	chain,
	type Credential,
	credentialsOf,
	itemsFromWebhook,
	type OnError,
	type WebhookAnswer,
	type Workflow,
	type WorkflowNode,
} from '../n8n';
import { payoutParameters } from './payout';

/** The name of this package's node in the workflow. */
export const PARTNER_PAYMENTS = 'Partner Payments';

/** How this package's node is used. */
export interface PartnerPaymentsOptions {
	/** Path of the webhook that starts the workflow. */
	path: string;
	answer: WebhookAnswer;
	workspaceId: string;
	credential: Credential;
	onError?: OnError;
	retryOnFail?: boolean;
	/** The node's own options. */
	options?: Record<string, unknown>;
}

/** A workflow that makes payouts with one node. */
export const partnerPaymentsPayouts = (options: PartnerPaymentsOptions): Workflow =>
	workflowOf(
		options,
		payoutParameters(options.workspaceId, {
			description: '={{ $json.description }}',
			options: options.options ?? {},
		}),
	);

/** A workflow that only creates payables. */
export const partnerPaymentsPayables = (options: PartnerPaymentsOptions): Workflow =>
	workflowOf(options, {
		resource: 'payable',
		operation: 'create',
		workspaceId: byId(options.workspaceId),
		payeeEmail: '={{ $json.payee }}',
		amount: '={{ $json.amount }}',
		description: '={{ $json.description }}',
	});

function workflowOf(
	{ path, answer, credential, onError, retryOnFail }: PartnerPaymentsOptions,
	parameters: Record<string, unknown>,
): Workflow {
	const node: WorkflowNode = {
		// n8n keeps what it stores for a node under this id.
		id: randomUUID(),
		name: PARTNER_PAYMENTS,
		type: 'n8n-nodes-partner-payments.partnerPayments',
		typeVersion: 1,
		position: [480, 0],
		parameters,
		credentials: credentialsOf([credential]),
		...(onError && { onError }),
		...(retryOnFail === true && { retryOnFail, maxTries: 3, waitBetweenTries: 500 }),
	};
	return chain([...itemsFromWebhook(path, answer), node]);
}
