import { createHmac, randomUUID } from 'node:crypto';
import axios from 'axios';

import { type Credential, type StoredWorkflow, workflowWithTrigger } from '../../tools/n8n';
import type { Bench } from './setup';

/** What an axios answer tells about a delivery. */
export interface Receipt {
	status: number;
	data: unknown;
}

/** A workflow that listens, and the address that the service was told. */
export interface Listening {
	workflow: StoredWorkflow;
	url: string;
}

/** The field of the trigger with a workspace. */
export const workspace = (value: string) => ({ __rl: true, mode: 'id', value });

/** An event of the service, with an ID of its own. */
export function paidEvent(workspaceId: string, change: object = {}): Record<string, unknown> {
	return {
		id: randomUUID(),
		event_type: 'payable.paid',
		created_at: '2026-01-02T03:04:05Z',
		workspace_id: workspaceId,
		data: { payable: { id: 'payable-1', status: 'paid', amount: 1999 } },
		...change,
	};
}

/** The signature of a body. */
export const signatureOf = (body: string | Buffer, secret: string, as: 'hex' | 'base64' = 'hex') =>
	createHmac('sha256', secret).update(body).digest(as);

/** Delivers a body as it stands, or an object as JSON. Every status is an answer. */
export async function deliver(
	url: string,
	body: string | Buffer | object,
	headers: Record<string, string> = {},
): Promise<Receipt> {
	const { status, data } = await axios.post<unknown>(url, bytes(body), {
		headers: { 'content-type': 'application/json', ...headers },
		validateStatus: () => true,
		transformRequest: (sent: unknown) => sent,
		maxBodyLength: Infinity,
		proxy: false,
	});
	return { status, data };
}

/** Delivers with a signature of the body. */
export const deliverSigned = async (url: string, body: string | Buffer | object, secret: string) =>
	await deliver(url, body, { 'X-Signature': signatureOf(bytes(body), secret) });

const bytes = (body: string | Buffer | object): string | Buffer =>
	typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** Makes a workflow with the trigger, activates it, and looks up what address it told the service. */
export async function listen(
	{ n8n, sandbox }: Bench,
	credential: Credential,
	parameters: Record<string, unknown> = {},
): Promise<Listening> {
	const workflow = await n8n.createWorkflow(
		workflowWithTrigger(
			{ workspaceId: workspace(sandbox.workspaceId), events: ['payablePaid'], ...parameters },
			credential,
		),
	);
	await n8n.activate(workflow.id);
	const last = (await sandbox.control.subscriptions()).at(-1);
	if (last === undefined) throw new Error('Nothing was subscribed');
	return { workflow, url: last.url };
}

/** Lets the service answer the next subscription with this secret, or without one. */
export async function answerWithSecret({ sandbox }: Bench, secret?: string): Promise<void> {
	await sandbox.control.addFault({
		kind: 'body',
		match: { operationId: 'createWebhookSubscription' },
		body: { webhook_subscription: { id: 'subscription-1', secret } },
	});
}

/** Pays a verified vendor, of which the service tells its subscribers; returns the payable's ID. */
export async function payVendor({ sandbox }: Bench, amount: number): Promise<string> {
	const api = await sandbox.api();
	const owed = { workspace_id: sandbox.workspaceId, amount, amount_denomination: 'us_cents' };
	const payee = { payee_email: sandbox.verifiedVendorEmail };
	const { data } = await api.post<{ payable: { id: string } }>('/payable', { ...owed, ...payee });
	const { id } = data.payable;
	await api.post(`/payable/${id}/approve`);
	await api.post('/funding', { ...owed, method: 'balance', payable_ids: [id] });
	return id;
}
