import {
	byId,
	chain,
	type Credential,
	credentialsOf,
	type Execution,
	NODE_UNDER_TEST,
	nodeError,
	START,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import { useFixture } from './support/fixture';
import { useScriptedService } from './support/scriptedService';

const fixture = useFixture();
/** Another server, at an address of this machine that no credential names. */
const elsewhere = useScriptedService();

const onlyTo = (allowedDomains: string) => ({
	allowedHttpRequestDomains: 'domains',
	allowedDomains,
});

/** Requests an address with n8n's own node. */
async function requestWith(credential: Credential, url: string): Promise<Execution> {
	const { n8n } = fixture();
	const position: [number, number] = [0, 0];
	const start = { name: START, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position };
	const node = {
		name: NODE_UNDER_TEST,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		position,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential.type,
		},
		credentials: credentialsOf([credential]),
	};
	const workflow = await n8n.createWorkflow(chain([{ ...start, parameters: {} }, node]));
	return await n8n.runManually(workflow.id);
}

const walletUrl = (): string => {
	const { apiUrl, workspaceId } = fixture().sandbox;
	return `${apiUrl}/workspace/${workspaceId}/wallet`;
};

const createCredential = async (kind: 'client' | 'user', changes = {}): Promise<Credential> =>
	kind === 'client' ? await fixture().createClient(changes) : await fixture().createUser(changes);

/** Gets the wallet with this package's node, with a token that has to be asked for. */
async function getWallet(kind: 'client' | 'user', changes: object): Promise<Execution> {
	const { n8n, sandbox } = fixture();
	const parameters = {
		authentication: kind === 'client' ? 'clientCredentials' : 'oAuth2',
		resource: 'wallet',
		operation: 'get',
		workspaceId: byId(sandbox.workspaceId),
	};
	const credential = await createCredential(kind, changes);
	const workflow = await n8n.createWorkflow(workflowWithNode({ credential, parameters }));
	return await n8n.runManually(workflow.id);
}

describe.each(['client', 'user'] as const)('a credential for a %s', (kind) => {
	test('sends its token nowhere with other nodes, as it is #no-token-in-other-nodes', async () => {
		const { sandbox } = fixture();
		const credential = await createCredential(kind);
		await sandbox.control.clearRequests();
		for (const url of [walletUrl(), elsewhere().url]) {
			const execution = await requestWith(credential, url);
			expect(nodeError(execution, NODE_UNDER_TEST)?.message).toContain('prevent use within');
		}
		expect([await sandbox.control.requests(), elsewhere().requests]).toEqual([[], []]);
	});

	test('calls other endpoints of the service with HTTP Request where somebody has named its host #named-host-in-http-request', async () => {
		const credential = await createCredential(kind, onlyTo('localhost'));
		const execution = await requestWith(credential, walletUrl());
		expect(successfulItems(execution, NODE_UNDER_TEST)).toMatchObject([
			{ json: { workspace_id: fixture().sandbox.workspaceId } },
		]);
		const other = elsewhere().url.replace('localhost', '127.0.0.1');
		const refused = await requestWith(credential, other);
		expect(nodeError(refused, NODE_UNDER_TEST)?.message).toContain('Domain not allowed');
		expect(elsewhere().requests).toEqual([]);
	});

	test.each([
		['None', { allowedHttpRequestDomains: 'none' }],
		['Specific Domains', onlyTo('localhost')],
		['All, as n8n has it', { allowedHttpRequestDomains: 'all' }],
	])(
		'works in the nodes of the package under every choice: %s #works-under-every-choice',
		async (_, changes) => {
			const execution = await getWallet(kind, { ...changes, audience: fixture().sandbox.audience });
			expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
		},
	);
});

test('a list of domains without the authentication host says so, and asks for no token #authentication-host-needed', async () => {
	const { sandbox, n8n, credentialData } = fixture();
	await sandbox.control.clearRequests();
	// Tokens are shared in the process; no other credential has this address.
	const authBaseUrl = `${sandbox.authUrl}/`;
	const changes = { ...onlyTo('api.example.com'), authBaseUrl };
	const sentence =
		'the Allowed Domains of the credential do not name localhost, the host of the Auth Base URL';
	const error = nodeError(await getWallet('client', changes), NODE_UNDER_TEST);
	expect(error?.message).toBe(`No access token: ${sentence} [item 0]`);
	const data = { ...credentialData, ...changes };
	expect(await n8n.testCredential('Restricted', 'partnerPaymentsApi', data)).toMatchObject({
		status: 'Error',
		message: expect.stringContaining(sentence),
	});
	expect(await sandbox.control.requests()).toEqual([]);
});

test('a connected account works with a list of domains that has none of its hosts', async () => {
	const { n8n, sandbox } = fixture();
	const changes = onlyTo('example.com');
	expect(successfulItems(await getWallet('user', changes), NODE_UNDER_TEST)).toHaveLength(1);
	const oauthTokenData = { access_token: await sandbox.control.userToken(), token_type: 'Bearer' };
	const data = { ...applicationCredentialData(sandbox), ...changes, oauthTokenData };
	expect(await n8n.testCredential('Listed', 'partnerPaymentsOAuth2Api', data)).toMatchObject({
		status: 'OK',
	});
});
