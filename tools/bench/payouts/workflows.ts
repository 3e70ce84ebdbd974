import { randomUUID } from 'node:crypto';

import type { Environment } from '../../environment';
import type { N8n, Workflow } from '../../n8n';
import { poll } from '../../n8n/poll';
import {
	bearerCredential,
	type CredentialSettings,
	partnerPaymentsCredential,
} from '../../payouts/credentials';
import { type Batches, httpRequestPayouts } from '../../payouts/httpRequest';
import { partnerPaymentsPayouts } from '../../payouts/payout';

/** A workflow that is active, and the path of the webhook that starts it. */
export interface ActiveWorkflow {
	id: string;
	path: string;
}

const EXECUTION_TIMEOUT_MS = 600_000;
const POLL_INTERVAL_MS = 10;

/** Activates a workflow of this package's node. */
export async function activateOwn(
	{ n8n, sandbox }: Environment,
	settings: CredentialSettings = {},
): Promise<ActiveWorkflow> {
	const { workspaceId } = sandbox;
	const credential = await partnerPaymentsCredential(n8n, sandbox, settings);
	const common = { answer: 'firstEntryJson', workspaceId, credential } as const;
	return await activate(n8n, (webhookPath) => partnerPaymentsPayouts({ ...common, webhookPath }));
}

/** Activates a workflow of n8n's HTTP Request nodes. */
export async function activatePeer(
	{ n8n, sandbox }: Environment,
	batches?: Batches,
): Promise<ActiveWorkflow> {
	const { apiUrl, workspaceId } = sandbox;
	const credential = await bearerCredential(n8n, sandbox);
	const common = { answer: 'firstEntryJson', apiUrl, workspaceId, credential } as const;
	return await activate(n8n, (webhookPath) =>
		httpRequestPayouts({ ...common, webhookPath }, batches),
	);
}

/** Stores the workflow that `make` returns for a path of its own, and activates it. */
async function activate(
	n8n: N8n,
	make: (webhookPath: string) => Workflow,
): Promise<ActiveWorkflow> {
	const path = randomUUID();
	const { id } = await n8n.createWorkflow(make(path));
	await n8n.activate(id);
	return { id, path };
}

/**
 * Executes a workflow with these items, and waits until its execution is stored.
 *
 * @returns the milliseconds until the workflow answered
 * @throws when the execution fails
 */
export async function executionTimeMs(
	{ client, database }: N8n,
	{ id, path }: ActiveWorkflow,
	items: object[],
): Promise<number> {
	const before = database.countEnded(id);
	const start = performance.now();
	const { status, data } = await client.callWebhook(path, { items });
	const elapsedMs = performance.now() - start;
	await poll(
		'the end of the execution',
		() => (database.countEnded(id) > before ? true : undefined),
		{ intervalMs: POLL_INTERVAL_MS, timeoutMs: EXECUTION_TIMEOUT_MS },
	);
	if (status !== 200) {
		throw new Error(`The workflow ${id} answered ${status}: ${JSON.stringify(data)}`);
	}
	return elapsedMs;
}
