import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../../sandbox/client';
import type { Credential, N8n, Workflow } from '../../n8n';
import { poll } from '../../n8n/poll';
import type { HttpRequestOptions } from '../../payouts/httpRequest';
import type { PartnerPaymentsSetup } from '../../payouts/partnerPayments';

/** What every measurement of payouts works with. */
export interface BenchEnvironment {
	n8n: N8n;
	sandbox: Sandbox;
	credentials: Both<Credential>;
}

/** The same thing of this package's node, and of n8n's HTTP Request nodes. */
export interface Both<Thing> {
	partnerPayments: Thing;
	httpRequest: Thing;
}

/** A workflow that is active, and the path of the webhook that starts it. */
export interface ActiveWorkflow {
	id: string;
	path: string;
}

const EXECUTION_TIMEOUT_MS = 600_000;
const POLL_INTERVAL_MS = 10;

/** Stores the workflow that `make` returns for a path of its own, and activates it. */
export async function activate(
	n8n: N8n,
	make: (webhookPath: string) => Workflow,
): Promise<ActiveWorkflow> {
	const path = randomUUID();
	const { id } = await n8n.createWorkflow(make(path));
	await n8n.activate(id);
	return { id, path };
}

/** Activates a workflow of each, which answers when it has ended. */
export async function activateBoth(
	{ n8n, sandbox, credentials }: BenchEnvironment,
	makePartnerPayments: (setup: PartnerPaymentsSetup) => Workflow,
	makeHttpRequest: (options: HttpRequestOptions) => Workflow,
): Promise<Both<ActiveWorkflow>> {
	const { apiUrl, workspaceId } = sandbox;
	const common = { answer: 'firstEntryJson', workspaceId } as const;
	return {
		partnerPayments: await activate(n8n, (webhookPath) =>
			makePartnerPayments({ ...common, webhookPath, credential: credentials.partnerPayments }),
		),
		httpRequest: await activate(n8n, (webhookPath) =>
			makeHttpRequest({ ...common, webhookPath, apiUrl, credential: credentials.httpRequest }),
		),
	};
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

/** Measures both alternately, so that what disturbs the machine disturbs both. */
export async function measureBoth<Figure>(
	rounds: number,
	measure: (competitor: keyof Both<unknown>, round: number) => Promise<Figure>,
): Promise<Both<Figure[]>> {
	const figures: Both<Figure[]> = { partnerPayments: [], httpRequest: [] };
	for (let round = 0; round < rounds; round += 1) {
		const order = ['partnerPayments', 'httpRequest'] as const;
		for (const competitor of round % 2 === 0 ? order : order.toReversed()) {
			figures[competitor].push(await measure(competitor, round));
		}
	}
	return figures;
}
