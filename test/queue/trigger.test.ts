import { createHmac, randomUUID } from 'node:crypto';

import { byId, chain, type StoredWorkflow, workflowWithTrigger } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import { Receiver } from '../sandbox/receiver';
import { useCluster } from './support/cluster';

const SECRET = 'whsec_of_two_processors';
const EVENTS = 300;
/** Events that are delivered together, each to both webhook processors. */
const AT_ONCE = 10;
const SETTLE_TIMEOUT_MS = 8 * 60_000;
/** n8n and the workflow are started anew in it. */
const RESTART_TIMEOUT_MS = 5 * 60_000;

const running = useCluster();
/** What follows the trigger: it is told the ID of each event. */
const follower = new Receiver();

let workflow: StoredWorkflow;
let path: string;

beforeAll(async () => {
	const { cluster, sandbox } = running();
	const { n8n } = cluster;
	const credential = await n8n.createCredential('Signing', 'partnerPaymentsApi', {
		...sandboxCredentialData(sandbox),
		webhookSigningSecret: SECRET,
	});
	const parameters = { workspaceId: byId(sandbox.workspaceId), events: ['payablePaid'] };
	const { nodes } = workflowWithTrigger(parameters, credential);
	workflow = await n8n.createWorkflow(
		chain([
			...nodes,
			{
				name: 'Follower',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [300, 0],
				parameters: {
					method: 'POST',
					url: follower.url('/followed'),
					sendBody: true,
					bodyParameters: { parameters: [{ name: 'id', value: '={{ $json.event_id }}' }] },
				},
			},
		]),
	);
	await n8n.activate(workflow.id);
	const subscription = (await sandbox.control.subscriptions()).at(-1);
	if (subscription === undefined) throw new Error('Nothing was subscribed');
	path = new URL(subscription.url).pathname.replace('/webhook/', '');
});

/** Delivers an event to both webhook processors at the same moment; returns how many executions start. */
async function deliverTwice(id: string): Promise<number> {
	const { cluster, sandbox } = running();
	const event = {
		id,
		event_type: 'payable.paid',
		created_at: '2026-01-02T03:04:05Z',
		workspace_id: sandbox.workspaceId,
		data: { payable: { id: `payable-${id}`, status: 'paid', amount: 1999 } },
	};
	const signature = createHmac('sha256', SECRET).update(JSON.stringify(event)).digest('hex');
	const answers = await Promise.all(
		cluster.webhooks.map(
			async (webhook) => await webhook.callWebhook(path, event, { 'X-Signature': signature }),
		),
	);
	expect(answers.map(({ status }) => status)).toEqual([200, 200]);
	return answers.filter(({ data }) => JSON.stringify(data).includes('Received')).length;
}

/** Waits until so many executions of the workflow have ended. */
async function waitForExecutions(count: number): Promise<void> {
	const { client } = running().cluster.n8n;
	await poll(
		`the end of ${count} executions`,
		async () => {
			let ended = 0;
			let cursor: string | null = '';
			while (cursor !== null) {
				const query = `workflowId=${workflow.id}&status=success&limit=250&cursor=${cursor}`;
				const page: { data: unknown[]; nextCursor: string | null } = await client.publicApi(
					'GET',
					`/executions?${query}`,
				);
				ended += page.data.length;
				cursor = page.nextCursor;
			}
			return ended >= count || undefined;
		},
		{ timeoutMs: SETTLE_TIMEOUT_MS, intervalMs: 1_000 },
	);
}

let executions = 0;

/** Delivers new events, each twice; returns how often what follows the trigger was told of each. */
async function follow(count: number): Promise<Map<string, number>> {
	const ids = Array.from({ length: count }, () => randomUUID());
	const before = executions;
	for (let start = 0; start < ids.length; start += AT_ONCE) {
		const started = await Promise.all(ids.slice(start, start + AT_ONCE).map(deliverTwice));
		executions += started.reduce((sum, one) => sum + one, 0);
	}
	await waitForExecutions(executions);
	const told = follower.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
	const times = new Map(ids.map((id) => [id, told.filter((one) => one === id).length]));
	const countOf = (matches: (often: number) => boolean): number =>
		[...times.values()].filter(matches).length;
	console.log(
		`${count} events, each delivered to both webhook processors: ${executions - before} executions started; ` +
			`followed once ${countOf((often) => often === 1)}, more often ${countOf((often) => often > 1)}, never ${countOf((often) => often === 0)}`,
	);
	return times;
}

const expectOnce = (times: Map<string, number>): void => {
	expect([...times].filter(([, often]) => often !== 1)).toEqual([]);
};

test(
	`of ${EVENTS} events that reach both webhook processors at the same moment, each is followed once #queue-event-once`,
	async () => {
		expectOnce(await follow(EVENTS));
	},
	2 * SETTLE_TIMEOUT_MS,
);

test(
	'one subscription serves the workflow through restarts of n8n and of itself',
	async () => {
		const { cluster, sandbox } = running();
		const before = (await sandbox.control.subscriptions()).length;
		await cluster.n8n.restart();
		await cluster.n8n.deactivate(workflow.id);
		await cluster.n8n.activate(workflow.id);
		expectOnce(await follow(AT_ONCE));
		expect(await sandbox.control.subscriptions()).toHaveLength(before);
	},
	RESTART_TIMEOUT_MS,
);
