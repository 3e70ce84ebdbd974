import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../../sandbox/client';
import { byId, chain, credentialsOf, type N8n, type WorkflowNode } from '../../n8n';
import { poll } from '../../n8n/poll';
import type { Program } from '../../program';
import { sandboxCredentialData } from '../../sandboxCredentialData';

/** The secret that deliveries are signed with. */
export const SECRET = 'bench-signing-secret';

const POLL_INTERVAL_MS = 25;

/** A trigger in an active workflow of its own. */
export interface Competitor {
	name: string;
	workflowId: string;
	/** Where it takes deliveries. */
	url: string;
}

/** The triggers that are compared. */
export interface Competitors {
	partnerPayments: Competitor;
	webhook: Competitor;
}

/** What every measurement of the trigger works with. */
export interface TriggerBench extends Competitors {
	/** Where the figures go. */
	table: Pick<Program, 'row'>;
	n8n: N8n;
	workspaceId: string;
	/** A count, scaled as the command line says. */
	scaled: (count: number) => number;
}

/** Stores and activates a workflow with each trigger. */
export async function addCompetitors(n8n: N8n, sandbox: Sandbox): Promise<Competitors> {
	const credential = await n8n.createCredential('Bench', 'partnerPaymentsApi', {
		...sandboxCredentialData(sandbox),
		webhookSigningSecret: SECRET,
	});
	const add = async (
		name: string,
		node: Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>,
		pathOf: (webhookId: string) => string,
	): Promise<Competitor> => {
		const webhookId = randomUUID();
		const trigger: WorkflowNode = { ...node, name: 'Event', position: [0, 0], webhookId };
		const { id } = await n8n.createWorkflow({ ...chain([trigger, END]), name });
		await n8n.activate(id);
		const url = `${n8n.url.replace('localhost', '127.0.0.1')}/webhook/${pathOf(webhookId)}`;
		return { name, workflowId: id, url };
	};
	return {
		partnerPayments: await add(
			'Partner Payments Trigger',
			{
				type: 'n8n-nodes-partner-payments.partnerPaymentsTrigger',
				typeVersion: 1,
				parameters: {
					authentication: 'clientCredentials',
					workspaceId: byId(sandbox.workspaceId),
					events: [
						'partnerStatusChanged',
						'payableApproved',
						'payablePaid',
						'payableStatusChanged',
					],
				},
				credentials: credentialsOf([credential]),
			},
			(webhookId) => `${webhookId}/webhook`,
		),
		webhook: await add(
			'Webhook',
			{
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				parameters: {
					httpMethod: 'POST',
					path: 'bench',
					responseMode: 'onReceived',
					authentication: 'none',
					options: {},
				},
			},
			() => 'bench',
		),
	};
}

/** Waits until this many executions have ended. */
export async function waitForEnded(
	n8n: N8n,
	{ workflowId, name }: Competitor,
	count: number,
): Promise<void> {
	await poll(
		`the executions of ${name}`,
		() => (n8n.database.countEnded(workflowId) >= count ? true : undefined),
		{ intervalMs: POLL_INTERVAL_MS },
	);
}

const END: WorkflowNode = {
	name: 'End',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [240, 0],
	parameters: {},
};
