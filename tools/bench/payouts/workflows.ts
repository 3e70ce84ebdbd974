import { randomUUID } from 'node:crypto';

import type { Environment } from '../../environment';
import type { Credential, N8n, Workflow } from '../../n8n';
import { poll } from '../../n8n/poll';
import { bearerCredential, partnerPaymentsCredential } from '../../payouts/credentials';
import { addLedgerTable } from '../../payouts/ledgerStore';

/** What every measurement of payouts works with. */
export interface BenchEnvironment extends Environment {
	credentials: Both<Credential>;
	/** The ID of the ledger's table. */
	ledgerTable: string;
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

/** Stores a credential of each, and makes the ledger's table. */
export const benchEnvironment = async (environment: Environment): Promise<BenchEnvironment> => ({
	...environment,
	credentials: {
		partnerPayments: await partnerPaymentsCredential(environment.n8n, environment.sandbox),
		httpRequest: await bearerCredential(environment.n8n, environment.sandbox),
	},
	ledgerTable: await addLedgerTable(environment.n8n),
});

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
