import { byId, executeOperation, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

describe('a credential', () => {
	test('for production refuses to simulate a deposit, before any request', async () => {
		service.useScript(() => ({ body: {} }));
		const credentials = { environment: 'production' };
		const parameters = { workspaceId, amount: '1' };
		const { error } = await executeOperation(service, 'deposit.simulate', parameters, {
			credentials,
		});
		expect(error?.message).toContain('belongs to production, where deposits are real');
		expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
	});

	test.each(['', 'Sandbox', 'prod', 'production ', null])(
		'whose environment is %j is no sandbox, and sends nothing',
		async (environment) => {
			service.useScript(() => ({ body: {} }));
			const credentials = { environment } as { environment: string };
			const parameters = { workspaceId, amount: '1' };
			const { error } = await executeOperation(service, 'deposit.simulate', parameters, {
				credentials,
			});
			expect(error?.message).toContain('Environment of the credential is neither Sandbox nor');
			expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
		},
	);

	test.each([
		[
			{ apiBaseUrl: 'http://api.example.com' },
			'The API Base URL of the credential must start with',
		],
		[{ apiBaseUrl: '' }, 'The API Base URL of the credential is empty'],
		[{ authBaseUrl: 'http://auth.example.com' }, 'The Auth Base URL of the credential must start'],
		[{ audience: '' }, 'the credential has no Audience'],
	])('with %j sends nothing', async (credentials, message) => {
		service.useScript(() => ({ body: {} }));
		const { error } = await executeOperation(
			service,
			'wallet.get',
			{ workspaceId },
			{ credentials },
		);
		expect(error?.message).toContain(message);
		expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
	});

	test.each(['user.get', 'user.getWorkspaces'])(
		'for client credentials is refused at %s, and the error proposes OAuth2',
		async (operation) => {
			service.useScript(() => ({ status: 403, body: { message: 'No user' } }));
			const { error } = await executeOperation(service, operation, {});
			expect(error?.message).toContain('choose an OAuth2 credential');
			expect(error?.description).toContain('"No user" (status 403)');
		},
	);

	test.each([
		[
			'user.get',
			{ user: { id: 'u1', email: 'n@example.com' } },
			[{ id: 'u1', email: 'n@example.com' }],
		],
		['user.getWorkspaces', { data: [{ id: 'w1' }, { id: 'w2' }] }, [{ id: 'w1' }, { id: 'w2' }]],
	])('for OAuth2 is accepted at %s', async (operation, body, output) => {
		service.useScript(() => ({ body }));
		const { items, error } = await executeOperation(
			service,
			operation,
			{ authentication: 'oAuth2' },
			{
				credentials: {
					grantType: 'authorizationCode',
					oauthTokenData: { access_token: 'user-token-opaque', token_type: 'Bearer' },
				},
			},
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual(output);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(output.map(() => ({ item: 0 })));
		expect(service.requests).toEqual([
			expect.objectContaining({ method: 'GET', authorization: 'Bearer user-token-opaque' }),
		]);
	});
});

test('an OAuth2 credential without a connected account sends nothing, and the error says to connect it', async () => {
	service.useScript(() => ({ body: {} }));
	const { error } = await executeOperation(
		service,
		'user.get',
		{ authentication: 'oAuth2' },
		{ credentials: { grantType: 'authorizationCode' } },
	);
	expect(error?.message).toContain('not connected');
	expect(error?.description).toContain('connect your account');
	expect(service.requests).toEqual([]);
});
