import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { demo, SandboxFixture } from './fixture';
import { authorizationUrl, CALLBACK, connectAs } from './visitor';

const fixture = new SandboxFixture();

test('openid-client discovers the provider, and accepts its callback, tokens and ID token #openid-client', async () => {
	const { sandbox } = fixture;
	const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
	const url = authorizationUrl(sandbox, {
		code_challenge,
		code_challenge_method: 'S256',
		nonce: 'n-1',
		unknown: 'ignored',
	});

	const returned = await connectAs(sandbox, demo.userEmail, 'allow', url);
	const callback = `${CALLBACK}?${new URLSearchParams(returned).toString()}`;
	// Published as ES modules only, which Jest does not load.
	const program = `
		import('openid-client').then(async (client) => {
			const options = { execute: [client.allowInsecureRequests] };
			const [id, secret] = ${JSON.stringify([demo.applicationId, demo.applicationSecret])};
			const auth = client.ClientSecretPost(secret);
			const config = await client.discovery(new URL('${sandbox.authUrl}'), id, undefined, auth, options);
			const tokens = await client.authorizationCodeGrant(config, new URL('${callback}'), {
				pkceCodeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
				expectedState: 'state-of-this-test',
				expectedNonce: 'n-1',
			});
			const renewed = await client.refreshTokenGrant(config, tokens.refresh_token);
			console.log(JSON.stringify([tokens.claims().email, renewed.expires_in]));
		});
	`;

	const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);

	expect(JSON.parse(stdout)).toEqual([demo.userEmail, 86_400]);
});

const options = { authorizationMethod: 'body', bodyFormat: 'json' } as const;
const endpoint = () => ({ tokenHost: fixture.sandbox.authUrl, tokenPath: '/oauth/token' });

describe('simple-oauth2 gets tokens #simple-oauth2', () => {
	test('for a client', async () => {
		const { sandbox } = fixture;
		const own = { id: demo.clientId, secret: demo.clientSecret };
		const clients = new ClientCredentials({ client: own, auth: endpoint(), options });

		const { token } = await clients.getToken({ audience: sandbox.audience });

		expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 86_400 });
	});

	test('for a user, by a code and by a refresh', async () => {
		const { sandbox } = fixture;
		const application = { id: demo.applicationId, secret: demo.applicationSecret };
		const authorizeHost = new URL(sandbox.apiUrl).origin;
		const users = new AuthorizationCode({
			client: application,
			auth: { ...endpoint(), authorizeHost, authorizePath: '/api/oauth/authorize' },
			options,
		});

		const address = { redirect_uri: CALLBACK };
		const url = users.authorizeURL({ ...address, state: 'a state', scope: 'openid email' });

		const { code = '', state } = await connectAs(sandbox, demo.userEmail, 'allow', url);

		const access = await users.getToken({ ...address, code });
		const renewed = await access.refresh();

		const api = await fixture.client(String(renewed.token['access_token']));
		expect(state).toBe('a state');
		expect(renewed.expired()).toBe(false);
		expect((await api.get('/user/current')).data).toMatchObject({ id: demo.userId });
	});
});
