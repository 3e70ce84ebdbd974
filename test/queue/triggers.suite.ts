import { createHmac, randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/client';
import {
	byId,
	chain,
	type Credential,
	type StoredWorkflow,
	workflowWithTrigger,
} from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import type { QueueCluster } from '../../tools/queue/cluster';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import { depositTriggerOf } from '../n8n/support/depositTrigger';
import { Receiver } from '../sandbox/receiver';

const SECRET = 'whsec_of_two_processors';
/** How many events there are when nothing scales them down, and at least. */
const EVENTS = 300;
const LEAST_EVENTS = 50;
/** Events that are delivered together, each to both webhook processors. */
const AT_ONCE = 10;
const SETTLE_TIMEOUT_MS = 8 * 60_000;

/** Tests what starts workflows in queue mode: the service's events, and its deposits. */
export function testTriggers(
	running: () => { cluster: QueueCluster; sandbox: Sandbox },
	scale: number,
): void {
	const events = Math.max(LEAST_EVENTS, Math.round(EVENTS * scale));
	/** What follows the trigger: it gets the ID of each event. */
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
					position: [300, 0],
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
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
		if (subscription === undefined) {
			throw new Error('Nothing was subscribed');
		}

		path = new URL(subscription.url).pathname.replace('/webhook/', '');
	});

	/** Delivers an event to both webhook processors at the same moment; returns how many executions start. */
	const deliverTwice = async (id: string): Promise<number> => {
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
	};

	/** Delivers new events, each twice; expects that each is followed once when all executions have ended. */
	const expectFollowedOnce = async (count: number): Promise<void> => {
		const finished = (): number =>
			running()
				.cluster.executionsByWorker()
				.reduce((sum, ended) => sum + ended, 0);

		const ids = Array.from({ length: count }, (): string => randomUUID());
		const before = finished();
		let started = 0;
		for (let at = 0; at < ids.length; at += AT_ONCE) {
			const executions = await Promise.all(ids.slice(at, at + AT_ONCE).map(deliverTwice));
			started += executions.reduce((sum, one) => sum + one, 0);
		}

		await poll(
			`the end of ${started} executions`,
			() => finished() - before >= started || undefined,
			{ timeoutMs: SETTLE_TIMEOUT_MS, intervalMs: 200 },
		);

		console.log(`${count} events, delivered to both webhook processors: ${started} executions`);
		const followed = follower.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);

		expect(followed.filter((id) => ids.includes(id)).sort()).toEqual(ids.sort());
	};

	test(
		`of ${events} events that reach both webhook processors at the same moment, each is followed once #queue-event-once`,
		async () => {
			await expectFollowedOnce(events);
		},
		2 * SETTLE_TIMEOUT_MS,
	);

	describe('after a restart of the main process', () => {
		let credential: Credential;
		let depositWorkflow: StoredWorkflow;
		let deposits: string[];
		const { deposit, publish, republish, started } = depositTriggerOf(
			() => ({ n8n: running().cluster.n8n, sandbox: running().sandbox }),
			() => credential,
		);

		beforeAll(async () => {
			const { cluster, sandbox } = running();
			const data = sandboxCredentialData(sandbox);
			credential = await cluster.n8n.createCredential('Client', 'partnerPaymentsApi', data);
			await deposit();
			depositWorkflow = await publish();
			const first = await deposit();
			await republish(depositWorkflow);

			expect(await started(depositWorkflow, 1)).toEqual([[first]]);

			deposits = [first, await deposit()];
			await cluster.n8n.restart();
		});

		test('a deposit that has started an execution on a worker starts none, and later ones start one each', async () => {
			const [first, second] = deposits;

			expect(await started(depositWorkflow, 2)).toEqual([[first], [second]]);

			const third = await deposit();
			await republish(depositWorkflow);

			expect(await started(depositWorkflow, 3)).toEqual([[first], [second], [third]]);
		});
	});
}
