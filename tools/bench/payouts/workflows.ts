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
	const credential = await partnerPaymentsCredential(n8n, sandbox, settings);
	return await activateWith(environment, credential);
}

/** Activates a workflow of this package's node with a credential. */
export async function activateWith(
	{ n8n, sandbox }: Environment,
	credential: Credential,
): Promise<ActiveWorkflow> {
	const { workspaceId } = sandbox;
	return await n8n.publish((webhookPath) =>
		partnerPaymentsPayouts({ webhookPath, answer: 'firstEntryJson', workspaceId, credential }),
	);
}

/** Activates a workflow of n8n's HTTP Request nodes. */
export async function activatePeer(
	{ n8n, sandbox }: Environment,
	batches?: Batches,
): Promise<ActiveWorkflow> {
	const { apiUrl, workspaceId } = sandbox;
	const credential = await bearerCredential(n8n, sandbox);
	return await n8n.publish((webhookPath) =>
		httpRequestPayouts({ webhookPath, apiUrl, workspaceId, credential }, batches),
	);
}

/** An execution that has not failed. */
export interface TimedExecution {
	/** The milliseconds until the workflow answered. */
	elapsedMs: number;
	/** What the workflow answered. */
	answer: unknown;
}

/**
 * Executes a workflow with these items, and waits until its execution is stored.
 *
 * @throws when the execution fails
 */
export async function timeExecution(
	{ client, database, executions }: N8n,
	{ workflow: { id }, path }: ActiveWorkflow,
	items: object[],
): Promise<TimedExecution> {
	const before = database.countEnded(id);

	const start = performance.now();
	const { status, data } = await client.callWebhook(path, { items });
	const elapsedMs = performance.now() - start;

	await executions.untilEnded(id, before + 1);
	if (status !== 200) {
		throw new Error(`The workflow ${id} answered ${status}: ${JSON.stringify(data)}`);
	}

	return { elapsedMs, answer: data };
}
