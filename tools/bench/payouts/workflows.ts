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
import { addLedgerTable } from '../../payouts/ledgerStore';
import { partnerPaymentsPayouts } from '../../payouts/payout';

/** What every measurement of payouts works with. */
export interface BenchEnvironment extends Environment {
	/** The ID of the ledger's table. */
	ledgerTable: string;
}

/** A workflow that is active, and the path of the webhook that starts it. */
export interface ActiveWorkflow {
	id: string;
	path: string;
}

const EXECUTION_TIMEOUT_MS = 600_000;
const POLL_INTERVAL_MS = 10;

/** Makes the ledger's table. */
export const benchEnvironment = async (environment: Environment): Promise<BenchEnvironment> => ({
	...environment,
	ledgerTable: await addLedgerTable(environment.n8n),
});

/** Activates a workflow of this package's node. */
export async function activateOwn(
	{ n8n, sandbox }: Environment,
	settings: CredentialSettings = {},
	make = partnerPaymentsPayouts,
): Promise<ActiveWorkflow> {
	const { workspaceId } = sandbox;
	const credential = await partnerPaymentsCredential(n8n, sandbox, settings);
	const common = { answer: 'firstEntryJson', workspaceId, credential } as const;
	return await activate(n8n, (webhookPath) => make({ ...common, webhookPath }));
}

/** Activates a workflow of n8n's HTTP Request nodes. */
export async function activatePeer(
	{ n8n, sandbox }: Environment,
	make = httpRequestPayouts,
	batches?: Batches,
): Promise<ActiveWorkflow> {
	const { apiUrl, workspaceId } = sandbox;
	const credential = await bearerCredential(n8n, sandbox);
	const common = { answer: 'firstEntryJson', apiUrl, workspaceId, credential } as const;
	return await activate(n8n, (webhookPath) => make({ ...common, webhookPath }, batches));
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

/** Measures competitors alternately, so that what disturbs the machine disturbs all. */
export async function alternately<Competitor extends string, Figure>(
	competitors: readonly Competitor[],
	rounds: number,
	measure: (competitor: Competitor, round: number) => Promise<Figure>,
): Promise<Record<Competitor, Figure[]>> {
	const figures = new Map(competitors.map((one) => [one, [] as Figure[]]));
	for (let round = 0; round < rounds; round += 1) {
		for (const one of round % 2 === 0 ? competitors : competitors.toReversed()) {
			figures.get(one)?.push(await measure(one, round));
		}
	}
	return Object.fromEntries(figures) as Record<Competitor, Figure[]>;
}
