import { randomUUID } from 'node:crypto';

import type { Event, Sandbox } from '../../../sandbox/client';
import type { Environment } from '../../environment';
import { byId, chain, credentialsOf, type WorkflowNode } from '../../n8n';
import { poll } from '../../n8n/poll';
import type { Program } from '../../program';
import { sandboxCredentialData } from '../../sandboxCredentialData';

const POLL_INTERVAL_MS = 25;
const PAYABLES = 50;
const PARTNERS = 20;
const TIME = '2026-01-01T00:00:00.000Z';
/** The types of the events of payables, and the status that each has come to. */
const PAYABLE_EVENTS = [
	['payable.approved', 'approved'],
	['payable.status_changed', 'will_pay'],
	['payable.paid', 'paid'],
] as const;

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
			...{ name: 'Event', position: [0, 0], webhookId: randomUUID() },
			...node,
		};
		const workflow = await n8n.createWorkflow(chain([trigger, END]));
		await n8n.activate(workflow.id);
		return workflow.id;
	};
	const events = ['partnerStatusChanged', 'payableApproved', 'payablePaid', 'payableStatusChanged'];
	const own = await add({
		type: 'n8n-nodes-partner-payments.partnerPaymentsTrigger',
		typeVersion: 1,
		parameters: { workspaceId: byId(workspaceId), events },
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
		events: ['partner.status_changed', ...PAYABLE_EVENTS.map(([type]) => type)],
	});
	if (status !== 200) throw new Error(`The sandbox answered ${status} to the subscription`);
	return {
		partnerPayments: { workflowId: own, workspaceId },
		webhook: { workflowId: peer, workspaceId: secondWorkspaceId },
	};
}

/** Has distinct events of payables and partners happen, which the sandbox delivers at once. */
export async function emitEvents(
	{ control }: Sandbox,
	{ workspaceId }: Competitor,
	count: number,
): Promise<Event[]> {
	const events = Array.from({ length: count }, (_, index) => {
		const subject = index % (PAYABLES + PARTNERS);
		const [type, status] = PAYABLE_EVENTS[index % PAYABLE_EVENTS.length] ?? PAYABLE_EVENTS[0];
		return subject < PAYABLES
			? { event_type: type, workspaceId, data: { payable: payable(subject, status, workspaceId) } }
			: {
					event_type: 'partner.status_changed' as const,
					workspaceId,
					data: { partner: partner(subject) },
				};
	});
	return await control.emitEvents(events);
}

const payable = (index: number, status: string, workspaceId: string): object => ({
	id: `payable-${index}`,
	workspace_id: workspaceId,
	payee_email: `vendor-${index % PARTNERS}@example.com`,
	...{ amount: 10_000 + index, currency: 'USD', memo: `Invoice ${index}` },
	...{ status, created_at: TIME },
});

const partner = (index: number): object => ({
	id: `partner-${index}`,
	email: `vendor-${index}@example.com`,
	...{ business_name: `Vendor ${index}`, status: 'verified', created_at: TIME },
});

/** Waits until this many executions have ended. */
export async function waitForEnded(
	{ n8n }: Environment,
	{ workflowId }: Competitor,
	count: number,
): Promise<void> {
	await poll(
		`the executions of workflow ${workflowId}`,
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
