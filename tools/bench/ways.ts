import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/client';
import type { Credential, N8n, Workflow } from '../n8n';
import type { OurWorkflow } from '../payouts/ours';
import type { PeerWorkflow } from '../payouts/peer';

/** What every measurement of payouts works with. */
export interface Stage {
	n8n: N8n;
	sandbox: Sandbox;
	/** A credential of this package without any limit. */
	ours: Credential;
	/** A token in n8n's generic credential. */
	theirs: Credential;
}

/** One way of doing something: a workflow that is active. */
export interface Way {
	workflowId: string;
	path: string;
}

/** A way of this package, and that of HTTP Request nodes. */
export interface Ways {
	ours: Way;
	theirs: Way;
}

const PATIENCE_MS = 600_000;
const POLL_MS = 10;

/** Stores the workflow that is made for a path of its own, and activates it. */
export async function addWay(n8n: N8n, make: (path: string) => Workflow): Promise<Way> {
	const path = randomUUID();
	const { id } = await n8n.createWorkflow(make(path));
	await n8n.activate(id);
	return { workflowId: id, path };
}

/** The ways of both, whose workflows answer when they are done. */
export async function addWays(
	{ n8n, sandbox, ours, theirs }: Stage,
	makeOurs: (workflow: OurWorkflow) => Workflow,
	makeTheirs: (workflow: PeerWorkflow) => Workflow,
): Promise<Ways> {
	const { apiUrl, workspaceId } = sandbox;
	const answer = 'firstEntryJson';
	return {
		ours: await addWay(n8n, (path) => makeOurs({ path, answer, workspaceId, credential: ours })),
		theirs: await addWay(n8n, (path) =>
			makeTheirs({ path, answer, apiUrl, workspaceId, credential: theirs }),
		),
	};
}

/**
 * Runs a workflow with these items until its execution is stored.
 * @returns the milliseconds until it answered
 * @throws when it does not end well
 */
export async function run(n8n: N8n, { workflowId, path }: Way, items: object[]): Promise<number> {
	const before = n8n.database.countEnded(workflowId);
	const start = performance.now();
	const { status, data } = await n8n.client.callWebhook(path, { items });
	const milliseconds = performance.now() - start;
	const deadline = Date.now() + PATIENCE_MS;
	while (n8n.database.countEnded(workflowId) === before) {
		if (Date.now() > deadline) throw new Error('The execution did not end.');
		await delay(POLL_MS);
	}
	if (status !== 200) {
		throw new Error(`The workflow ${workflowId} answered ${status}: ${JSON.stringify(data)}`);
	}
	return milliseconds;
}

/** Measures both in turns, so many times, so that what disturbs the machine disturbs both. */
export async function inTurns<Figure>(
	rounds: number,
	measure: (who: keyof Ways, round: number) => Promise<Figure>,
): Promise<Record<keyof Ways, Figure[]>> {
	const figures: Record<keyof Ways, Figure[]> = { ours: [], theirs: [] };
	for (let round = 0; round < rounds; round += 1) {
		const order = ['ours', 'theirs'] as const;
		for (const who of round % 2 === 0 ? order : order.toReversed()) {
			figures[who].push(await measure(who, round));
		}
	}
	return figures;
}
