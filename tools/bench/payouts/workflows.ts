import type { Environment } from '../../environment';
import type { Credential, N8n } from '../../n8n';
import {
	bearerCredential,
	type CredentialSettings,
	partnerPaymentsCredential,
} from '../../payouts/credentials';
import { type Batches, httpRequestPayouts } from '../../payouts/httpRequest';
import { partnerPaymentsPayouts } from '../../payouts/payout';

/** A workflow that is active, and the path of the webhook that starts it. */
export type ActiveWorkflow = Awaited<ReturnType<N8n['publish']>>;

/** Activates a workflow of this package's node. */
export async function activateOwn(
	environment: Environment,
	settings: CredentialSettings = {},
): Promise<ActiveWorkflow> {
	const { n8n, sandbox } = environment;
	return await activateWith(environment, await partnerPaymentsCredential(n8n, sandbox, settings));
}

/** Activates a workflow of this package's node with a credential. */
export async function activateWith(
	{ n8n, sandbox }: Environment,
	credential: Credential,
): Promise<ActiveWorkflow> {
	const { workspaceId } = sandbox;
	const common = { answer: 'firstEntryJson', workspaceId, credential } as const;
	return await n8n.publish((webhookPath) => partnerPaymentsPayouts({ ...common, webhookPath }));
}

/** Activates a workflow of n8n's HTTP Request nodes. */
export async function activatePeer(
	{ n8n, sandbox }: Environment,
	batches?: Batches,
): Promise<ActiveWorkflow> {
	const { apiUrl, workspaceId } = sandbox;
	const credential = await bearerCredential(n8n, sandbox);
	const common = { apiUrl, workspaceId, credential };
	return await n8n.publish((webhookPath) =>
		httpRequestPayouts({ ...common, webhookPath }, batches),
	);
}

/**
 * Executes a workflow with these items, and waits until its execution is stored.
 *
 * @returns the milliseconds until the workflow answered
 * @throws when the execution fails
 */
export async function executionTimeMs(
	{ client, database, executions }: N8n,
	{ workflow: { id }, path }: ActiveWorkflow,
	items: object[],
): Promise<number> {
	const before = database.countEnded(id);
	const start = performance.now();
	const { status, data } = await client.callWebhook(path, { items });
	const elapsedMs = performance.now() - start;
	await executions.untilEnded(id, before + 1);
	if (status !== 200) {
		throw new Error(`The workflow ${id} answered ${status}: ${JSON.stringify(data)}`);
	}

	return elapsedMs;
}
