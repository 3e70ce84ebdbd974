import { randomUUID } from 'node:crypto';

import {
	chain,
	type Credential,
	credentialsOf,
	type Execution,
	NODE_UNDER_TEST,
	nodeError,
	START,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';
import { useScriptedService } from './support/scriptedService';

const fixture = useFixture();

const TYPE = 'partnerPaymentsApi';
const UNREACHABLE = 'http://localhost:9';

describe('the test of a client-credentials credential', () => {
	test('passes for a working one, also with slashes and blanks around its addresses #credential-test-passes', async () => {
		const { n8n, sandbox, credentialData } = fixture();
		const untidy = {
			...credentialData,
			apiBaseUrl: ` ${String(credentialData.apiBaseUrl)}// `,
			authBaseUrl: `${String(credentialData.authBaseUrl)}/`,
		};

		const { workspaceId: defaultWorkspaceId } = sandbox;

		for (const data of [{ ...credentialData, defaultWorkspaceId }, untidy]) {
			expect(await n8n.testCredential('Works', TYPE, data)).toEqual({
				status: 'OK',
				message: 'Connection successful',
			});
		}
	});

	test.each([
		['a wrong secret', { clientSecret: 'wrong-secret' }, /refused \(status 401.*"Client Secret"/],
		[
			'a wrong audience',
			{ audience: 'https://elsewhere.example' },
			/refused \(status 40[013].*"Audience"/,
		],
		[
			'an unreachable authentication host',
			{ authBaseUrl: UNREACHABLE },
			/localhost:9 cannot be reached, nothing answers.*Auth Base URL/,
		],
		[
			'an unreachable API host',
			{ apiBaseUrl: UNREACHABLE },
			/API at localhost:9 cannot be reached, nothing answers.*API Base URL/,
		],
		[
			'a default workspace that is no ID',
			{ defaultWorkspaceId: '1111-1111' },
			/"1111-1111" is not a workspace ID/,
		],
		[
			'a default workspace of another account',
			{ defaultWorkspaceId: randomUUID() },
			/shows no wallet.*status 40[34].*"Default Workspace ID"/,
		],
		[
			'plain HTTP elsewhere',
			{ apiBaseUrl: 'http://api.example.com' },
			/must start with https:\/\//,
		],
	])('tells %s in a sentence #credential-test-refused', async (_, change, sentence) => {
		const { n8n, credentialData } = fixture();

		const result = await n8n.testCredential('Wrong', TYPE, { ...credentialData, ...change });

		expect(result.status).toBe('Error');
		expect(result.message).toMatch(sentence);
		expect(result.message).not.toContain(credentialData.clientSecret);
		expect(result.message).not.toContain('wrong-secret');
	});
});

const api = useScriptedService();
/** Another server, at an address of this machine that no credential names. */
const elsewhere = useScriptedService();

test.each(['partnerPaymentsApi', 'partnerPaymentsOAuth2Api'])(
	'the test of a credential follows no redirect with its token: %s #credential-test-no-redirect',
	async (type) => {
		api().useScript(() => ({
			status: 302,
			headers: { location: `${elsewhere().url}/user/current` },
		}));

		elsewhere().useScript(() => ({ body: { user: { id: 'u1' } } }));
		const { n8n, credentialData } = fixture();

		const result = await n8n.testCredential('Redirected', type, {
			...credentialData,
			apiBaseUrl: api().url,
			authBaseUrl: api().url,
			oauthTokenData: { access_token: 'user-token-opaque', token_type: 'Bearer' },
		});

		expect(result.status).toBe('Error');
		expect(api().requests).toEqual([
			expect.objectContaining({ authorization: expect.stringMatching(/^Bearer .+-opaque$/) }),
		]);
		expect(elsewhere().requests).toEqual([]);
	},
);

test.each([
	['OK', 403, 'Not for clients'],
	['Error', 403, ' <html>Not for clients'],
	['Error', 200, 'Welcome'],
])(
	'the test of a credential says %s if the API answers with status %i: %p',
	async (status, code, body) => {
		api().useScript(() => ({ status: code, body }));
		const { n8n, credentialData } = fixture();
		const addresses = { apiBaseUrl: api().url, authBaseUrl: api().url };
		const data = { ...credentialData, ...addresses };

		expect(await n8n.testCredential('Other answers', TYPE, data)).toMatchObject({ status });
	},
);

const ROW_SCOPES = ['read', 'create', 'update', 'delete'].map((action) => `dataTableRow:${action}`);

const testLedger = async (changes: object): Promise<{ status: string; message: string }> => {
	const { n8n, credentialData, sharedLedger } = fixture();
	const data = { ...credentialData, ...sharedLedger, ...changes };

	return await n8n.testCredential(`Ledger ${randomUUID()}`, 'partnerPaymentsApi', data);
};

describe('the test of a credential with a ledger table', () => {
	test('passes for the address of this n8n, and of its public API', async () => {
		const { url } = fixture().n8n;

		for (const n8nBaseUrl of [url, `${url}/`, ` ${url}/api/v1/`]) {
			expect(await testLedger({ n8nBaseUrl })).toMatchObject({ status: 'OK' });
		}
	});

	test('passes for a key with no more than the scopes that paying needs', async () => {
		const n8nApiKey = await fixture().n8n.client.createApiKey((scope) =>
			[
				'dataTable:list',
				'dataTable:create',
				'dataTableRow:read',
				'dataTableRow:create',
				'dataTableRow:update',
				'dataTableRow:delete',
			].includes(scope),
		);

		expect(await testLedger({ n8nApiKey })).toMatchObject({ status: 'OK' });
	});

	test.each(['dataTable:create', ...ROW_SCOPES])(
		'names %s when the key lacks it',
		async (missing) => {
			const result = await testLedger({
				n8nApiKey: await fixture().n8n.client.createApiKey((scope) => scope !== missing),
			});

			expect(result.status).toBe('Error');
			expect(result.message).toContain(`lacks a scope (${missing})`);
		},
	);

	test.each([
		['a key that is refused', { n8nApiKey: 'n8n-key-of-nobody' }, /does not accept the API key/],
		['an address where nothing answers', { n8nBaseUrl: 'http://localhost:9' }, /cannot be reached/],
		['no address', { n8nBaseUrl: 'here' }, /not a web address.*http:\/\/localhost:5678/],
		['another table than the ledger', { ledgerTable: 'Nowhere' }, /not "Nowhere"/],
	])('fails for %s', async (_, changes, message) => {
		const result = await testLedger(changes);

		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(result.message).not.toContain('n8n-key-of-nobody');
	});
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

describe.each(['client', 'user'] as const)('a credential for a %s', (kind) => {
	test('sends its token nowhere with other nodes, as it is #no-token-in-other-nodes', async () => {
		const { sandbox } = fixture();
		const credential = await (kind === 'client'
			? fixture().createClient()
			: fixture().createUser());
		await sandbox.control.clearRequests();
		for (const url of [walletUrl(), elsewhere().url]) {
			const execution = await requestWith(credential, url);

			expect(nodeError(execution, NODE_UNDER_TEST)?.message).toContain('prevent use within');
		}

		expect([await sandbox.control.requests(), elsewhere().requests]).toEqual([[], []]);
	});
});
