import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import {
	byId,
	NODE_UNDER_TEST,
	nodeError,
	successfulItems,
	workflowWithNode,
	workflowWithTrigger,
} from '../../tools/n8n';
import { ledgerParameters } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { useFixture } from './support/fixture';
import { PayoutWorkflow } from './support/payouts';
import { findInClear } from './support/secrets';
import { answerWithSecret } from './support/trigger';
import { connectAccount } from '../../tools/n8n/account';
import { useEditor } from './support/editor';

const WRONG_SECRET = 'a-secret-that-the-service-does-not-know';

// Other test files have credentials in the same n8n.
const USER = 'User whose secrets are searched';
const CLIENT = 'Client whose secrets are searched';

const fixture = useFixture();
const editor = useEditor(fixture);

test('no secret and no token is in a log, a URL, an error, a stored execution or on a page #no-secret-anywhere', async () => {
	const { n8n, sandbox, credentialData, createClient } = fixture();
	const { control } = sandbox;
	const secrets = new Set([
		sandbox.applicationSecret,
		String(credentialData.clientSecret),
		WRONG_SECRET,
	]);
	const remember = (tokens: unknown): void => {
		const found = Object.entries(tokens as object).filter(([name]) => /_?token$/i.test(name));
		for (const [, token] of found) secrets.add(String(token));
	};
	const rememberTokens = (): void => {
		remember(n8n.database.credential(USER).oauthTokenData);
		remember(n8n.database.credential(CLIENT));
	};
	const pages: string[] = [];
	const look = async (): Promise<void> => {
		pages.push(await editor().visibleText());
	};

	await control.addRedirectUri(n8n.callbackUrl);
	const user = await n8n.createCredential(
		USER,
		'partnerPaymentsOAuth2Api',
		applicationCredentialData(sandbox),
	);
	const client = await createClient({}, CLIENT);
	const wrongData = { ...credentialData, clientSecret: WRONG_SECRET };
	const wrong = await createClient(wrongData, 'Wrong');
	const asUser = { authentication: 'oAuth2', resource: 'user', operation: 'getWorkspaces' };
	const asClient = {
		resource: 'wallet',
		operation: 'get',
		workspaceId: byId(sandbox.workspaceId),
	};
	const [ofUser, ofClient, ofWrong] = await Promise.all(
		[
			{ credential: user, parameters: asUser },
			{ credential: client, parameters: asClient },
			{ credential: wrong, parameters: asClient },
		].map(async (subject) => (await n8n.createWorkflow(workflowWithNode(subject))).id),
	);
	if (!ofUser || !ofClient || !ofWrong) throw new Error('A workflow is missing');

	await connectAccount(editor(), sandbox, USER);
	await look();
	for (const mode of [undefined, 'rotated', 'kept'] as const) {
		if (mode !== undefined) {
			await control.setRefreshTokens(mode);
			await control.expireTokens();
		}
		for (const id of [ofUser, ofClient]) {
			expect(successfulItems(await n8n.runManually(id), NODE_UNDER_TEST)).not.toEqual([]);
		}
		rememberTokens();
	}
	expect(nodeError(await n8n.runManually(ofWrong), NODE_UNDER_TEST)).toBeDefined();
	const { status } = await n8n.testCredential('Wrong', 'partnerPaymentsApi', wrongData);
	expect(status).toBe('Error');
	await control.revokeGrants();
	for (const id of [ofUser, ofWrong]) {
		await editor().openWorkflow(id);
		const node = await editor().openNode(NODE_UNDER_TEST);
		await node.execute();
		await node.error();
		await look();
	}
	await editor().openCredential(USER);
	await look();

	// Three secrets, three access tokens of each account, and the user's three ID tokens and two
	// refresh tokens.
	expect(secrets.size).toBe(14);
	for (const secret of secrets) expect(secret.length).toBeGreaterThan(15);
	expect(findInClear(n8n, secrets)).toEqual(new Map());
	const texts = {
		requests: JSON.stringify(await control.requests()),
		addresses: editor().requestedUrls.join('\n'),
		pages: pages.join('\n'),
	};
	expect(texts).toMatchObject({
		requests: expect.stringContaining('refresh_token'),
		addresses: expect.stringContaining('/oauth/authorize?'),
		pages: expect.stringContaining('needs to be reconnected'),
	});
	const found = Object.entries(texts).filter(([, text]) =>
		[...secrets].some((secret) => text.includes(secret)),
	);
	expect(found.map(([source]) => source)).toEqual([]);
});

test('no signing secret and no API key of the ledger is in a log, an error, a stored execution, static data or the ledger #no-signing-secret-anywhere', async () => {
	const { n8n, sandbox, createClient, ledgerTable } = fixture();
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

	const ledger = { baseUrl: n8n.url, apiKey: wrongKey };
	const payments = await PayoutWorkflow.create(
		n8n,
		client,
		payoutParameters(sandbox.workspaceId, ledgerParameters('dataTable', ledgerTable)),
		{
			onError: 'continueRegularOutput',
			ledgerCredential: await n8n.createCredential('Wrong', 'partnerPaymentsLedgerApi', ledger),
		},
	);
	const payout = { reference: 'INV-1', payee: sandbox.verifiedVendorEmail, amount: 100 };
	expect(await payments.pay([payout])).toMatchObject([{ status: 'not_sent' }]);

	expect(findInClear(n8n, secrets)).toEqual(new Map());
	expect(JSON.stringify(n8n.database.staticData(id))).toContain('"secret"');
});
