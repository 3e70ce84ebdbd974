import {
	byId,
	NODE_UNDER_TEST,
	nodeError,
	workflowWithNode,
	workflowWithTrigger,
} from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/payout';
import { useFixture } from './support/fixture';
import { PayoutWorkflow } from './support/payouts';
import { findInClear } from './support/secrets';
import { answerWithSecret } from './support/trigger';

const fixture = useFixture();

test('no signing secret and no API key of the ledger is in a log, an error, a stored execution, static data or the ledger #no-signing-secret-anywhere', async () => {
	const { n8n, sandbox, createClient, ledger } = fixture();
	const secrets = new Set([
		'whsec_sent_to_the_trigger',
		'whsec_sent_to_the_node',
		'a-wrong-api-key',
	]);
	const [sentToTrigger, sentToNode, wrongKey] = [...secrets];
	const client = await createClient({}, 'Subscriber');

	await answerWithSecret(fixture(), sentToTrigger);
	const workspaceId = byId(sandbox.workspaceId);
	const events = ['payablePaid'];
	const { id } = await n8n.createWorkflow(workflowWithTrigger({ workspaceId, events }, client));
	await n8n.activate(id);
	const url = 'https://hooks.example.com/payments';
	const subscribe = await n8n.createWorkflow(
		workflowWithNode({
			credential: client,
			parameters: {
				resource: 'webhookSubscription',
				operation: 'create',
				workspaceId,
				url,
				events,
			},
		}),
	);
	await answerWithSecret(fixture(), sentToNode);
	await n8n.runManually(subscribe.id);
	await sandbox.control.addFault({
		kind: 'status',
		status: 422,
		match: { operationId: 'createWebhookSubscription' },
		body: { message: `No: {"signing_secret":"${sentToNode}"}` },
	});
	const refused = nodeError(await n8n.runManually(subscribe.id), NODE_UNDER_TEST);
	expect(refused?.message).toContain('[redacted]');

	const wrong = await createClient({ ...ledger, n8nApiKey: wrongKey }, 'Wrong');
	const payments = await PayoutWorkflow.create(n8n, wrong, payoutParameters(sandbox.workspaceId));
	const payout = { reference: 'INV-1', payee: sandbox.verifiedVendorEmail, amount: 100 };
	expect(await payments.pay([payout])).toMatchObject([{ status: 'not_sent' }]);

	expect(findInClear(n8n, secrets)).toEqual(new Map());
	expect(JSON.stringify(n8n.database.staticData(id))).toContain('"secret"');
});
