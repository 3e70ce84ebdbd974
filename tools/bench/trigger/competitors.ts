import { randomUUID } from 'node:crypto';

import type { Event, Sandbox, Settings } from '../../../sandbox/client';
import type { Environment } from '../../environment';
import {
	byId,
	chain,
	type Credential,
	credentialsOf,
	type N8n,
	type WorkflowNode,
} from '../../n8n';
import { sandboxCredentialData } from '../../sandboxCredentialData';
import type { Services } from '../../services';
import { STRIPE_DELIVERIES, stripeEndpoints } from './stripe';

/** A trigger in an active workflow of its own, which hears of one kind of events in a workspace. */
export interface Competitor {
	workflowId: string;
	workspaceId: string;
	event: Event['event_type'];
	/** How the sandbox has to deliver to it. */
	deliveries: Partial<Settings>;
}

/** This package's trigger, and n8n's own that it is measured beside. */
export interface Competitors {
	/** It marks each payable as paid in the ledger, and reads what the ledger knows of it. */
	partnerPayments: Competitor;
	/** The same trigger, for events and with a setting with which it asks no ledger. */
	withoutLedger: Competitor;
	/** It checks signatures as well. */
	stripe: Competitor;
	/** It checks nothing, and n8n spares it what it does for every other trigger before its execution. */
	webhook: Competitor;
}

/** What every measurement of the trigger works with. */
export interface TriggerBench extends Environment, Competitors {
	/** The table of the ledger. */
	ledgerId: string;
	/** A count, scaled as the command line says. */
	scaled: (count: number) => number;
}

/** As the sandbox delivers by default. */
const DELIVERIES = {
	envelope: 'default',
	signatureScheme: 'body',
	signatureHeader: 'X-Signature',
} as const;

/**
 * Stores and activates a workflow with each trigger, and has the sandbox deliver events to all. The ledger
 * has to be there.
 *
 * @throws when a trigger that checks signatures takes a body without one
 */
export async function addCompetitors(
	{ n8n, sandbox }: Environment,
	services: Services,
): Promise<Competitors> {
	const { workspaceId, secondWorkspaceId } = sandbox;
	const stripe = {
		workspaceId: secondWorkspaceId,
		event: 'payable.approved' as const,
		deliveries: STRIPE_DELIVERIES,
	};

	const webhook = {
		workspaceId: secondWorkspaceId,
		event: 'payable.paid' as const,
		deliveries: DELIVERIES,
	};

	services.serve('api.stripe.com', stripeEndpoints(sandbox, stripe.workspaceId, stripe.event));

	const data = sandboxCredentialData(sandbox);
	const credential = await n8n.createCredential('Bench', 'partnerPaymentsApi', data);
	const own = { workspaceId, deliveries: DELIVERIES };
	const ownId = await addOwn(n8n, credential, { workspaceId, events: ['payablePaid'] });
	const withoutLedgerId = await addOwn(n8n, credential, {
		workspaceId,
		events: ['payableStatusChanged'],
		options: { simplify: false },
	});

	const stripeId = await addStripe(n8n);
	await expectSignatureChecks(n8n, sandbox, 3);

	const webhookId = await addWebhook(n8n, sandbox, webhook);
	return {
		partnerPayments: { workflowId: ownId, event: 'payable.paid', ...own },
		withoutLedger: { workflowId: withoutLedgerId, event: 'payable.status_changed', ...own },
		stripe: { workflowId: stripeId, ...stripe },
		webhook: { workflowId: webhookId, ...webhook },
	};
}

const addOwn = async (
	n8n: N8n,
	credential: Credential,
	{ workspaceId, ...parameters }: { workspaceId: string; events: string[]; options?: object },
): Promise<string> =>
	await publish(n8n, {
		type: 'n8n-nodes-partner-payments.partnerPaymentsTrigger',
		typeVersion: 1.1,
		parameters: { workspaceId: byId(workspaceId), ...parameters },
		credentials: credentialsOf([credential]),
	});

async function addStripe(n8n: N8n): Promise<string> {
	const data = { secretKey: 'made-up-key' };
	const credential = await n8n.createCredential('Stripe', 'stripeApi', data);
	return await publish(n8n, {
		type: 'n8n-nodes-base.stripeTrigger',
		typeVersion: 1,
		parameters: { events: ['*'] },
		credentials: credentialsOf([credential]),
	});
}

async function addWebhook(
	n8n: N8n,
	sandbox: Sandbox,
	{ workspaceId, event }: Pick<Competitor, 'workspaceId' | 'event'>,
): Promise<string> {
	const id = await publish(n8n, {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'onReceived', options: {} },
	});

	const api = await sandbox.api();
	const { status } = await api.post(`/workspace/${workspaceId}/webhook-subscription`, {
		url: `${n8n.url}/webhook/bench`,
		events: [event],
	});
	if (status !== 200) {
		throw new Error(`The sandbox answered ${status} to the subscription`);
	}

	return id;
}

async function publish(
	n8n: N8n,
	node: Omit<WorkflowNode, 'name' | 'position' | 'webhookId'>,
): Promise<string> {
	const trigger: WorkflowNode = {
		name: 'Event',
		position: [0, 0],
		webhookId: randomUUID(),
		...node,
	};

	const { id } = await n8n.createWorkflow(chain([trigger, END]));
	await n8n.activate(id);
	return id;
}

/** The newest subscriptions have to be of triggers that refuse what is not signed. */
async function expectSignatureChecks(
	{ client, url }: N8n,
	{ control }: Sandbox,
	count: number,
): Promise<void> {
	const subscriptions = await control.subscriptions();
	for (const subscription of subscriptions.slice(-count)) {
		const path = subscription.url.replace(`${url}/webhook/`, '');
		const { status } = await client.callWebhook(path, { type: 'payable.paid' });
		if (status !== 401) {
			throw new Error(`${subscription.url} answered ${status} to a body without signature`);
		}
	}
}

/** The payable that an event is about. */
export const payableIdOf = (index: number): string => `payable-${index}`;

/** Has distinct events happen, which the sandbox delivers at once. */
export async function emitEvents(
	{ control }: Sandbox,
	{ workspaceId, event, deliveries }: Competitor,
	count: number,
): Promise<Event[]> {
	await control.setSettings(deliveries);

	const events = Array.from({ length: count }, (_, index) => ({
		event_type: event,
		workspaceId,
		data: { payable: { id: payableIdOf(index), status: 'paid', amount: 10_000 + index } },
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
