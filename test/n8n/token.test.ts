import { byId, NODE_UNDER_TEST, successfulItems, workflowWithNode } from '../../tools/n8n';
import { useFixture } from './support/fixture';

const fixture = useFixture();

const RUNS = 5;
const PAYABLES = 200;

test(`one token serves ${PAYABLES} payables and ${RUNS} runs at the same time, and one more after it expired`, async () => {
	const { n8n, sandbox, createClient } = fixture();
	const credential = await createClient();
	const workspaceId = byId(sandbox.workspaceId);
	const wallet = await n8n.createWorkflow(
		workflowWithNode({
			credential,
			parameters: { resource: 'wallet', operation: 'get', workspaceId },
		}),
	);
	const payables = await n8n.createWorkflow(
		workflowWithNode({
			credential,
			parameters: {
				resource: 'payable',
				operation: 'create',
				workspaceId,
				payeeEmail: sandbox.verifiedVendorEmail,
				amount: '={{ $json.amount }}',
			},
			items: Array.from({ length: PAYABLES }, (_, index) => ({ amount: index + 1 })),
		}),
	);
	const runAll = async () =>
		await Promise.all([
			n8n.runManually(payables.id),
			...Array.from({ length: RUNS }, async () => await n8n.runManually(wallet.id)),
		]);

	const [created, ...wallets] = await runAll();
	const amounts = successfulItems(created, NODE_UNDER_TEST).map(({ json }) => json.amount);
	expect(amounts).toEqual(Array.from({ length: PAYABLES }, (_, index) => index + 1));
	for (const execution of wallets)
		expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
	expect(await sandbox.control.requests('requestToken')).toHaveLength(1);

	await sandbox.control.expireTokens();
	for (const execution of (await runAll()).slice(1)) {
		expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
	}
	expect(await sandbox.control.requests('requestToken')).toHaveLength(2);
});
