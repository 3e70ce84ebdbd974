import { randomUUID } from 'node:crypto';

import { byId, workflowWithNode } from '../../tools/n8n';
import { partnerPaymentsCredential } from '../../tools/payouts/credentials';
import { useCluster } from './support/cluster';

const EXECUTIONS = 20;
const WORKERS = 2;
const ROUNDS = 3;

const running = useCluster();

let path: string;

beforeAll(async () => {
	const { cluster, sandbox } = running();
	path = randomUUID();
	const workflow = await cluster.n8n.createWorkflow(
		workflowWithNode({
			webhookPath: path,
			credential: await partnerPaymentsCredential(cluster.n8n, sandbox),
			parameters: {
				resource: 'wallet',
				operation: 'get',
				workspaceId: byId(sandbox.workspaceId),
			},
		}),
	);
	await cluster.n8n.activate(workflow.id);
});

/** Runs executions at once; returns how each was answered, and how many tokens were requested. */
async function runAtOnce(): Promise<{ statuses: number[]; tokenRequests: number }> {
	const { cluster, sandbox } = running();
	await sandbox.control.clearRequests();
	const before = cluster.startedExecutions();
	const answers = await Promise.all(
		Array.from({ length: EXECUTIONS }, async (_, index) => {
			const webhook = cluster.webhooks[index % 2 === 0 ? 0 : 1];
			return await webhook.callWebhook(path, { items: [{}] });
		}),
	);
	const { length: tokenRequests } = await sandbox.control.requests('requestToken');
	const perWorker = cluster.startedExecutions().map((count, index) => count - (before[index] ?? 0));
	console.log(`Executions by worker: ${perWorker.join(', ')}; token requests: ${tokenRequests}`);
	expect(perWorker).not.toContain(0);
	return { statuses: answers.map(({ status }) => status), tokenRequests };
}

const ALL_OK = Array<number>(EXECUTIONS).fill(200);

test(`${EXECUTIONS} executions at once on two workers request a token for each worker at most`, async () => {
	const { statuses, tokenRequests } = await runAtOnce();
	expect(statuses).toEqual(ALL_OK);
	expect(tokenRequests).toBeLessThanOrEqual(WORKERS);
});

test(`after all tokens were revoked no execution fails, ${ROUNDS} times in a row`, async () => {
	for (let round = 0; round < ROUNDS; round += 1) {
		await running().sandbox.control.expireTokens();
		const { statuses, tokenRequests } = await runAtOnce();
		expect(statuses).toEqual(ALL_OK);
		expect(tokenRequests).toBeLessThanOrEqual(WORKERS);
	}
});
