import { createHmac, randomUUID } from 'node:crypto';
import axios from 'axios';

import {
	byId,
	type Credential,
	type Execution,
	START,
	type StoredWorkflow,
	successfulItems,
	workflowWithTrigger,
} from '../../../tools/n8n';
import { type Fixture, useFixture } from './fixture';

/** The signing secret of the account, as a credential may know it. */
export const SECRET = 'whsec_4f3a90b1c2d4e5f607';

/** An active workflow with the trigger, and the address that it has subscribed. */
export interface Subscribed {
	workflow: StoredWorkflow;
	url: string;
}

/** Parameters of the trigger. */
type TriggerSettings = Record<string, unknown> & { options?: Record<string, unknown> };

/** What the tests of the trigger work with. */
export type TriggerFixture = ReturnType<typeof useTrigger>;

/** Prepares a fixture, one of its own unless one is given, without faults in each test. */
export function useTrigger(fixture = useFixture()) {
	let client: Credential;
	let signing: Credential;

	beforeAll(async () => {
		const { createClient } = fixture();
		client = await createClient();
		signing = await createClient({ webhookSigningSecret: SECRET }, 'Signing client');
	});

	beforeEach(async () => {
		await fixture().sandbox.control.clearFaults();
	});

	const listen = async (
		credential: Credential,
		parameters: TriggerSettings = {},
	): Promise<Subscribed> => {
		const { n8n, sandbox } = fixture();
		const defaults = { workspaceId: byId(sandbox.workspaceId), events: ['payablePaid'] };
		const workflow = await n8n.createWorkflow(
			workflowWithTrigger({ ...defaults, ...parameters }, credential),
		);
		await n8n.activate(workflow.id);
		const last = (await sandbox.control.subscriptions()).at(-1);
		if (last === undefined) {
			throw new Error('Nothing was subscribed');
		}

		return { workflow, url: last.url };
	};

	const executionsOf = async ({ id }: StoredWorkflow): Promise<Execution[]> =>
		await fixture().n8n.executions.allFinished(id);

	return {
		fixture,
		/** A credential without a signing secret. */
		client: () => client,
		/** A credential with the signing secret of the account. */
		signing: () => signing,
		/** Activates a workflow with the trigger. */
		listen,
		/** Activates a workflow whose trigger knows no signing secret, and accepts events all the same. */
		listenUnsigned: async ({ options, ...parameters }: TriggerSettings = {}) => {
			await answerWithSecret(fixture());
			const accepting = { unsignedEvents: 'accept', ...options };

			return await listen(client, { ...parameters, options: accepting });
		},
		/** An event of the workspace, with an id of its own. */
		event: (changes: object = {}): Record<string, unknown> => ({
			id: randomUUID(),
			event_type: 'payable.paid',
			created_at: '2026-01-02T03:04:05Z',
			workspace_id: fixture().sandbox.workspaceId,
			data: { payable: { id: 'payable-1', status: 'paid', amount: 1999 } },
			...changes,
		}),
		/** All executions of a workflow, once they have ended. */
		executionsOf,
		/** The items that the trigger put out in all executions together. */
		itemsOf: async (workflow: StoredWorkflow) =>
			(await executionsOf(workflow)).flatMap((execution) =>
				successfulItems(execution, START).map(({ json }) => json),
			),
	};
}

/** The signature of a body. */
export const signatureOf = (body: string | Buffer, secret: string): string =>
	createHmac('sha256', secret).update(body).digest('hex');

/** Delivers a body as it stands, or an object as JSON. Every status is an answer. */
export async function deliver(
	url: string,
	body: string | Buffer | object,
	headers: Record<string, string> = {},
): Promise<{ status: number; data: unknown }> {
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

/** Makes the service answer the next subscription with this secret, or without one. */
export async function answerWithSecret({ sandbox }: Fixture, secret?: string): Promise<void> {
	await sandbox.control.addFault({
		kind: 'body',
		match: { operationId: 'createWebhookSubscription' },
		body: { webhook_subscription: { id: 'subscription-1', secret } },
	});
}

/** Pays a verified vendor through the API, which emits events; returns the payable's id. */
export const payVendor = async (fixture: Fixture, amount: number): Promise<string> =>
	(await fundVendor(fixture, amount, 'balance')).payableId;

/** Funds a payable of a verified vendor through the API. */
export async function fundVendor(
	{ sandbox }: Fixture,
	amount: number,
	method: 'balance' | 'invoice',
): Promise<{ payableId: string; fundingId: string }> {
	const api = await sandbox.api();
	const owed = { workspace_id: sandbox.workspaceId, amount, amount_denomination: 'us_cents' };
	const payee = { payee_email: sandbox.verifiedVendorEmail };
	const { data } = await api.post<{ payable: { id: string } }>('/payable', { ...owed, ...payee });
	const { id } = data.payable;
	await api.post(`/payable/${id}/approve`);
	const wanted = { ...owed, method, payable_ids: [id] };
	const funded = await api.post<{ funding: { id: string } }>('/funding', wanted);

	return { payableId: id, fundingId: funded.data.funding.id };
}
