import { byId, NODE_UNDER_TEST, nodeError, workflowWithNode } from '../../tools/n8n';
import { createLedgerCredential, ledgerParameters } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { PayoutWorkflow, statusesOf } from './support/payouts';
import { findInClear, knownSecrets } from './support/secrets';
import { answerWithSecret, deliver, deliverSigned, SECRET, useTrigger } from './support/trigger';

const TOLD_TO_TRIGGER = 'whsec_told_to_the_trigger';
const TOLD_TO_NODE = 'whsec_told_to_the_node';
const WRONG_KEY = 'n8n-api-key-of-nobody';

const { fixture, client, signing, listen, executionsOf, event } = useTrigger();

test('no signing secret and no API key of the ledger is in a log, an error, a stored execution, static data or the ledger #no-signing-secret-anywhere', async () => {
	const { n8n, sandbox } = fixture();

	await answerWithSecret(fixture(), TOLD_TO_TRIGGER);
	const told = await listen(client());
	const known = await listen(signing(), { options: { simplify: false } });
	for (const [{ url }, secret] of [
		[told, TOLD_TO_TRIGGER],
		[known, SECRET],
	] as const) {
		expect(await deliverSigned(url, event(), secret)).toMatchObject({ status: 200 });
		expect(await deliver(url, event(), { 'X-Signature': 'forged' })).toMatchObject({ status: 401 });
	}
	expect(await executionsOf(told.workflow)).toHaveLength(1);
	expect(await executionsOf(known.workflow)).toHaveLength(1);

	const subscribe = workflowWithNode({
		credential: client(),
		parameters: {
			resource: 'webhookSubscription',
			operation: 'create',
			workspaceId: byId(sandbox.workspaceId),
			url: 'https://hooks.example.com/payments',
			events: ['payablePaid'],
		},
	});
	const { id } = await n8n.createWorkflow(subscribe);
	await answerWithSecret(fixture(), TOLD_TO_NODE);
	await n8n.runManually(id);
	await sandbox.control.addFault({
		kind: 'status',
		status: 422,
		match: { operationId: 'createWebhookSubscription' },
		body: { message: `No: {"signing_secret":"${TOLD_TO_NODE}"}` },
	});
	expect(nodeError(await n8n.runManually(id), NODE_UNDER_TEST)?.message).toContain(
		'{"signing_secret":"[redacted]',
	);

	const pay = async (ledgerCredential = createLedgerCredential(n8n)) =>
		await PayoutWorkflow.create(
			n8n,
			client(),
			payoutParameters(sandbox.workspaceId, ledgerParameters('dataTable')),
			{ onError: 'continueRegularOutput', ledgerCredential: await ledgerCredential },
		);
	const payout = { reference: 'INV-1', payee: sandbox.verifiedVendorEmail, amount: 100 };
	expect(statusesOf(await (await pay()).pay([payout]))).toEqual(['funded']);
	const wrong = { baseUrl: n8n.url, apiKey: WRONG_KEY };
	const refused = await pay(n8n.createCredential('Wrong', 'partnerPaymentsLedgerApi', wrong));
	expect(await refused.pay([payout])).toMatchObject([
		{ error: expect.stringMatching(/does not accept the API key/) },
	]);

	const secrets = knownSecrets(n8n).add(TOLD_TO_NODE);
	expect([...secrets]).toEqual(
		expect.arrayContaining([TOLD_TO_TRIGGER, SECRET, n8n.client.apiKey, WRONG_KEY]),
	);
	expect(await findInClear(fixture(), secrets)).toEqual([]);
	expect(n8n.database.tablesWith([payout.reference, 'subscriptions', '[redacted]'])).toEqual(
		new Map([
			[payout.reference, expect.any(Set)],
			['subscriptions', expect.any(Set)],
			['[redacted]', expect.any(Set)],
		]),
	);
});
