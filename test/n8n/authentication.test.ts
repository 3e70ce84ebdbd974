import axios from 'axios';

import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import { byId, NODE_UNDER_TEST, successfulItems, workflowWithNode } from '../../tools/n8n';
import { useFixture } from './support/fixture';

const fixture = useFixture();

const USER = 'partnerPaymentsOAuth2Api';

/** Where n8n sends the browser to connect an account. */
async function authorizationAddress(changes: Record<string, unknown> = {}): Promise<URL> {
	const { n8n, sandbox } = fixture();
	const data = { ...applicationCredentialData(sandbox), ...changes };
	return new URL(await n8n.authorizationUrl(await n8n.createCredential('User', USER, data)));
}

test('the browser is sent to the authorization address with the documented parameters #authorization-address', async () => {
	const { n8n, sandbox } = fixture();
	await sandbox.control.addRedirectUri(n8n.callbackUrl);
	for (const audience of ['', sandbox.audience]) {
		const address = await authorizationAddress({ audience });
		expect(address.origin + address.pathname).toBe(
			`${new URL(sandbox.apiUrl).origin}/api/oauth/authorize`,
		);
		expect(Object.fromEntries(address.searchParams)).toEqual({
			client_id: sandbox.applicationId,
			redirect_uri: n8n.callbackUrl,
			response_type: 'code',
			state: expect.any(String),
			scope: 'openid profile email',
			...(audience === '' ? {} : { audience }),
		});

		const answer = await axios.get(address.href, { maxRedirects: 0, validateStatus: () => true });
		expect(answer.status).toBe(302);
	}
});

test('the state is random #random-state', async () => {
	const states = [await authorizationAddress(), await authorizationAddress()].map((address) => {
		const state = Buffer.from(address.searchParams.get('state') ?? '', 'base64').toString();
		return (JSON.parse(state) as { token: string }).token;
	});
	expect(new Set(states).size).toBe(2);
	for (const state of states) expect(state.length).toBeGreaterThanOrEqual(32);
});

test('the scope can be edited #scope-editable', async () => {
	const address = await authorizationAddress({ scope: 'openid' });
	expect(address.searchParams.get('scope')).toBe('openid');
});

test.each([
	['the API', { apiBaseUrl: 'http://api.example.com/v1' }],
	['the authentication server', { authBaseUrl: 'http://auth.example.com' }],
	['a host that only begins like this machine', { apiBaseUrl: 'http://localhost.example.com' }],
	['a user who is called like this machine', { apiBaseUrl: 'http://localhost:x@api.example.com' }],
])(
	'nothing is sent over plain HTTP, except on this machine: %s #no-plain-http',
	async (_, change) => {
		const { n8n, sandbox, createClient, createUser } = fixture();
		await expect(authorizationAddress(change)).rejects.toThrow(/https-is-needed-in-both-base-urls/);

		// Also not with an account that was connected before, nor with client credentials.
		const credentials = {
			oAuth2: await createUser(change, 'Insecure'),
			clientCredentials: await createClient(change, 'Insecure'),
		};
		await sandbox.control.clearRequests();
		for (const authentication of ['oAuth2', 'clientCredentials'] as const) {
			const workflow = await n8n.createWorkflow(
				workflowWithNode({
					credential: credentials[authentication],
					parameters: { authentication, resource: 'user', operation: 'get' },
				}),
			);
			const execution = await n8n.runManually(workflow.id);
			expect(JSON.stringify(execution)).toMatch(/Base URL of the credential must start with https/);
		}
		expect(await sandbox.control.requests()).toEqual([]);
	},
);

test('every API request carries the token in its header alone, a webhook subscription as well #token-header-only', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const credential = await createClient();
	const workspaceId = byId(sandbox.workspaceId);
	const operations = [
		{ resource: 'wallet', operation: 'get', workspaceId },
		{
			resource: 'webhookSubscription',
			operation: 'create',
			workspaceId,
			url: 'https://hooks.example.com',
			events: ['payablePaid'],
		},
	];
	await sandbox.control.clearRequests();
	for (const parameters of operations) {
		const workflow = await n8n.createWorkflow(workflowWithNode({ credential, parameters }));
		const execution = await n8n.runManually(workflow.id);
		expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
	}
	const [token, ...requests] = await sandbox.control.requests();
	expect(token).toMatchObject({
		operationId: 'requestToken',
		contentType: 'application/json',
		query: {},
	});
	expect(requests.map(({ operationId }) => operationId)).toEqual([
		'getWallet',
		'createWebhookSubscription',
	]);
	const [{ tokenFingerprint } = { tokenFingerprint: null }] = requests;
	expect(tokenFingerprint).toEqual(expect.any(String));
	for (const request of requests) expect(request).toMatchObject({ query: {}, tokenFingerprint });
});
