import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import {
	byId,
	NODE_UNDER_TEST,
	nodeError,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';
import { connectAccount } from '../../tools/n8n/account';
import { useEditor } from './support/editor';

const WRONG_SECRET = 'a-secret-that-the-service-does-not-know';

const fixture = useFixture();
const editor = useEditor(fixture);

test('no secret and no token is in a log, a URL, an error, a stored execution or on a page #no-secret-anywhere', async () => {
	const { n8n, sandbox, credentialData, createClient, sandboxLog } = fixture();
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
		remember(n8n.database.credential('User').oauthTokenData);
		remember(n8n.database.credential('Client'));
	};
	const pages: string[] = [];
	const look = async (): Promise<void> => {
		pages.push(await editor().visibleText());
	};

	await control.addRedirectUri(n8n.callbackUrl);
	const user = await n8n.createCredential(
		'User',
		'partnerPaymentsOAuth2Api',
		applicationCredentialData(sandbox),
	);
	const client = await createClient();
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

	await connectAccount(editor(), sandbox, 'User');
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
	await editor().openCredential('User');
	await look();

	const texts = {
		"n8n's log": n8n.log(),
		'stored executions': n8n.database.executionText(),
		"the sandbox's log": sandboxLog(),
		"the sandbox's requests": JSON.stringify(await control.requests()),
		'visited addresses': editor().requestedUrls.join('\n'),
		pages: pages.join('\n'),
	};
	expect(texts).toMatchObject({
		"n8n's log": expect.stringContaining('Editor is now accessible'),
		'stored executions': expect.stringContaining('needs to be reconnected'),
		"the sandbox's requests": expect.stringContaining('refresh_token'),
		'visited addresses': expect.stringContaining('/oauth/authorize?'),
		pages: expect.stringContaining('needs to be reconnected'),
	});
	// Three secrets, three access tokens of each account, and the user's three ID tokens and two
	// refresh tokens.
	expect(secrets.size).toBe(14);
	const found = Object.entries(texts).flatMap(([source, text]) =>
		[...secrets]
			.filter((secret) => text.includes(secret))
			.map((secret) => `${secret.slice(0, 6)}… in ${source}`),
	);
	expect(found).toEqual([]);
	for (const secret of secrets) expect(secret.length).toBeGreaterThan(15);
});
