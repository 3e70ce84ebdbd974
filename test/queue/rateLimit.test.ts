import { randomUUID } from 'node:crypto';

import { partnerPaymentsCredential, UNLIMITED } from '../../tools/payouts/credentials';
import { partnerPaymentsPayouts } from '../../tools/payouts/partnerPayments';
import { addPayees, itemsOf, makePayouts } from '../../tools/payouts/payout';
import { useCluster } from './support/cluster';

/** What the service allows; the window stands for its minute. */
const LIMIT = 100;
const WINDOW_SECONDS = 6;
const PAYOUTS = 100;

const running = useCluster();

interface Figures {
	statuses: string[];
	refused: number;
	workers: number;
}

/** Makes payouts in several executions at once, with an account that the service limits. */
async function pay(executions: number, statedRequests: number): Promise<Figures> {
	const { cluster, sandbox } = running();
	const { n8n, webhooks } = cluster;
	const { control, workspaceId } = sandbox;
	const webhookPath = randomUUID();
	const workflow = await n8n.createWorkflow(
		partnerPaymentsPayouts({
			webhookPath,
			answer: 'allEntries',
			workspaceId,
			credential: await partnerPaymentsCredential(n8n, sandbox, statedRequests, WINDOW_SECONDS),
		}),
	);
	await n8n.activate(workflow.id);
	const batches = Array.from({ length: executions }, () => makePayouts(randomUUID(), PAYOUTS));
	for (const batch of batches) await addPayees(sandbox, batch);
	await control.setRequestsPerMinute(LIMIT, WINDOW_SECONDS);
	await control.clearRequests();
	const before = cluster.startedExecutions();
	const answers = await Promise.all(
		batches.map(async (batch, index) => {
			const webhook = webhooks[index % 2 === 0 ? 0 : 1];
			return await webhook.callWebhook(webhookPath, { items: itemsOf(batch) });
		}),
	);
	const requests = (await control.requests()).filter(({ host }) => host === 'api');
	await control.setRequestsPerMinute(UNLIMITED);
	const refused = requests.filter(({ status }) => status === 429).length;
	const accepted = requests.length - refused;
	const times = requests.map(({ at }) => Date.parse(at));
	const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
	const leastSeconds = Math.floor((accepted - 1) / LIMIT) * WINDOW_SECONDS;
	const started = cluster.startedExecutions().map((count, index) => count - (before[index] ?? 0));
	console.log(
		`${executions} × ${PAYOUTS} payouts, ${statedRequests} in ${WINDOW_SECONDS} s stated and ${LIMIT} allowed, executions by worker ${started.join(', ')}: ` +
			`${accepted} requests, ${refused} refused, ${seconds.toFixed(1)} s from the first to the last, least possible ${leastSeconds} s (× ${(seconds / leastSeconds).toFixed(2)})`,
	);
	return {
		statuses: answers.flatMap(({ data }) =>
			(data as Array<{ status: string }>).map(({ status }) => status),
		),
		refused,
		workers: started.filter((count) => count > 0).length,
	};
}

test.each([200, 1000])(
	'a limit below the %i that the credential states is learned, and few requests are refused',
	async (statedRequests) => {
		const { statuses, refused } = await pay(1, statedRequests);
		expect(statuses).toEqual(Array(PAYOUTS).fill('funded'));
		expect(refused).toBeLessThanOrEqual(20);
	},
);

test('two workers that share an account pay everything', async () => {
	let { statuses, workers } = await pay(2, LIMIT);
	// Both executions may have come to one worker.
	if (workers < 2) ({ statuses, workers } = await pay(2, LIMIT));
	expect(workers).toBe(2);
	expect(statuses).toEqual(Array(2 * PAYOUTS).fill('funded'));
});
