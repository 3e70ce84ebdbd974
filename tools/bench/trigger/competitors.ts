import { randomUUID } from 'node:crypto';

import type { Event, Sandbox } from '../../../sandbox/client';
import type { Environment } from '../../environment';
import { byId, chain, credentialsOf, type WorkflowNode } from '../../n8n';
import type { Program } from '../../program';
import { sandboxCredentialData } from '../../sandboxCredentialData';

/** A trigger in an active workflow of its own, which hears of the events of a workspace. */
export interface Competitor {
	workflowId: string;
	workspaceId: string;
}

/** What every measurement of the trigger works with. */
export interface TriggerBench extends Environment {
	partnerPayments: Competitor;
	webhook: Competitor;
	/** Where the figures go. */
	table: Pick<Program, 'row'>;
	/** A count, scaled as the command line says. */
	scaled: (count: number) => number;
}

/** Stores and activates a workflow with each trigger, and has the sandbox deliver events to both. */
export async function addCompetitors({
	n8n,
	sandbox,
}: Environment): Promise<Pick<TriggerBench, 'partnerPayments' | 'webhook'>> {
	const { workspaceId, secondWorkspaceId } = sandbox;
	const data = sandboxCredentialData(sandbox);
	const credential = await n8n.createCredential('Bench', 'partnerPaymentsApi', data);
	const add = async (node: Omit<WorkflowNode, 'name' | 'position' | 'webhookId'>) => {
		const trigger: WorkflowNode = {
			name: 'Event',
			position: [0, 0],
			webhookId: randomUUID(),
			...node,
		};

		const workflow = await n8n.createWorkflow(chain([trigger, END]));
		await n8n.activate(workflow.id);
		return workflow.id;
	};

	const own = await add({
		type: 'n8n-nodes-partner-payments.partnerPaymentsTrigger',
		typeVersion: 1,
		parameters: { workspaceId: byId(workspaceId), events: ['payablePaid'] },
		credentials: credentialsOf([credential]),
	});

	const peer = await add({
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'onReceived', options: {} },
	});

	const api = await sandbox.api();
	const { status } = await api.post(`/workspace/${secondWorkspaceId}/webhook-subscription`, {
		url: `${n8n.url}/webhook/bench`,
		events: ['payable.paid'],
	});
	if (status !== 200) {
		throw new Error(`The sandbox answered ${status} to the subscription`);
	}

	return {
		partnerPayments: { workflowId: own, workspaceId },
		webhook: { workflowId: peer, workspaceId: secondWorkspaceId },
	};
}

/** Has distinct events happen, which the sandbox delivers at once. */
export async function emitEvents(
	{ control }: Sandbox,
	{ workspaceId }: Competitor,
	count: number,
): Promise<Event[]> {
	const events = Array.from({ length: count }, (_, index) => ({
		event_type: 'payable.paid' as const,
		workspaceId,
		data: { payable: { id: `payable-${index}`, status: 'paid', amount: 10_000 + index } },
	}));

	return await control.emitEvents(events);
}

const END: WorkflowNode = {
	name: 'End',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [240, 0],
	parameters: {},
};
