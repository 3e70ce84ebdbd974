import { demo, errorOf, http, SandboxFixture } from './fixture';
import { authorizationUrl, CALLBACK, connectAs, type Changes } from './visitor';

const fixture = new SandboxFixture();

/** What the authorization address answers. */
const ask = async (changes: Changes = {}) =>
	await http.get<unknown>(authorizationUrl(fixture.sandbox, changes));

/** Where it sends a browser. */
async function sentTo(changes: Changes = {}) {
	const { status, headers } = await ask(changes);

	expect(status).toBe(302);

	return new URL(String(headers['location']));
}

describe('the authorization address', () => {
	test('without a scope, openid profile email is asked for #default-scope', async () => {
		expect((await sentTo()).searchParams.get('scope')).toBe('openid profile email');
		expect((await sentTo({ scope: 'openid' })).searchParams.get('scope')).toBe('openid');
	});

	test('without an audience, the service fills in its own #default-audience', async () => {
		for (const changes of [{}, { audience: '' }, { audience: fixture.sandbox.audience }]) {
			const address = await sentTo(changes);

			expect(address.origin).toBe(fixture.sandbox.authUrl);
			expect(address.searchParams.get('audience')).toBe(fixture.sandbox.audience);
		}
	});

	test('the sign-in of another environment is refused and said to the application', async () => {
		const address = await sentTo({ audience: 'https://elsewhere.example' });
		const { headers } = await http.get(address.href);
		const back = new URL(String(headers['location']));

		expect(back.href).toMatch(CALLBACK);
		expect(Object.fromEntries(back.searchParams)).toMatchObject({
			error: 'invalid_target',
			state: 'state-of-this-test',
		});
	});

	test.each([
		['another path', `${CALLBACK}/`],
		['another scheme', CALLBACK.replace('http:', 'https:')],
		['another host', 'https://evil.example/callback'],
	])(
		'a redirect URI is compared character by character: %s #redirect-uri-exact',
		async (_, redirectUri) => {
			const url = authorizationUrl(fixture.sandbox, { redirect_uri: redirectUri });

			const page = await http.get<string>(url, { headers: { accept: 'text/html' } });
			const answer = await http.get(url);

			expect(page.status).toBe(400);
			expect(page.headers['content-type']).toMatch('text/html');
			expect(page.data).toContain('is not registered for Bright Workflows');
			expect(answer.headers).not.toHaveProperty('location');
			expect(errorOf(answer)).toMatchObject({ code: 'unregistered_redirect_uri' });
		},
	);

	test.each([
		{ redirectUri: 'http://app.example/callback', registered: 422, asked: 400 },
		{ redirectUri: 'https://app.example/callback#part', registered: 422, asked: 400 },
		{ redirectUri: 'nonsense', registered: 422, asked: 400 },
		{ redirectUri: 'https://app.example/callback', registered: 200, asked: 302 },
		{ redirectUri: 'http://localhost:5678/other', registered: 200, asked: 302 },
		{ redirectUri: 'http://127.0.0.1:5678/callback', registered: 422, asked: 400 },
		{ redirectUri: 'http://[::1]/callback', registered: 422, asked: 400 },
		{ redirectUri: 'http://localhost.evil.example/', registered: 422, asked: 400 },
		{ redirectUri: 'http://localhost@evil.example/', registered: 422, asked: 400 },
	])(
		'a redirect URI must use HTTPS, except on localhost: $redirectUri #redirect-uri-https',
		async ({ redirectUri, ...expected }) => {
			const body = { applicationId: demo.applicationId, redirectUri };

			const registered = await http.post(`${fixture.sandbox.controlUrl}/redirect-uris`, body);
			const asked = await ask({ redirect_uri: redirectUri });

			expect({ registered: registered.status, asked: asked.status }).toEqual(expected);
		},
	);

	test.each([
		['an unknown application', { client_id: 'nobody' }, /application/],
		['a client that acts for itself', { client_id: 'northwind-demo-client' }, /application/],
		['another response type', { response_type: 'token' }, /response_type/],
		['an empty state', { state: '' }, /state/],
		['no client', { client_id: undefined }, /client_id/],
		['no redirect URI', { redirect_uri: undefined }, /redirect_uri/],
		['no response type', { response_type: undefined }, /response_type/],
		['no state', { state: undefined }, /state/],
		['an answer in the fragment', { response_mode: 'fragment' }, /response_mode/],
		['an answer in a form', { response_mode: 'form_post' }, /response_mode/],
	])('refuses %s #authorization-parameters', async (_, changes: Changes, message) => {
		const answer = errorOf(await ask(changes));

		expect(answer).toMatchObject({ status: 400, message: expect.stringMatching(message) });
	});
});

describe("the identity provider's own address", () => {
	/** What it answers when a browser skips the service's address. */
	const askProvider = async (changes: Changes = {}) => {
		const { search } = new URL(authorizationUrl(fixture.sandbox, changes));
		return await http.get<string>(`${fixture.sandbox.authUrl}/authorize${search}`);
	};

	test.each<[what: string, changes: Changes, named: string]>([
		['no state', { state: undefined }, 'state'],
		['an empty state', { state: '' }, 'state'],
		['no response type', { response_type: undefined }, 'response_type'],
		['no redirect URI', { redirect_uri: undefined }, 'redirect_uri'],
		['no client', { client_id: undefined }, 'client_id'],
		['an answer in the fragment', { response_mode: 'fragment' }, 'response_mode'],
		['an answer in a form', { response_mode: 'form_post' }, 'response_mode'],
		['an answer in a message', { response_mode: 'web_message' }, 'response_mode'],
	])('keeps the rules of the service: %s', async (_, changes, named) => {
		const { status, headers, data } = await askProvider(changes);

		expect({ status, location: headers['location'] }).toEqual({ status: 400 });
		expect(data).toContain(named);
	});

	test('takes one state and not two', async () => {
		const { search } = new URL(authorizationUrl(fixture.sandbox));

		const { status } = await http.get(
			`${fixture.sandbox.authUrl}/authorize${search}&state=another`,
		);

		expect(status).toBe(400);
	});

	test('with all that is required it asks who the person is', async () => {
		const { status, headers } = await askProvider();

		expect(status).toBe(303);
		expect(headers['location']).toMatch(/\/sign-in\//);
	});
});

describe('discovery', () => {
	const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
	test.each(paths)('%s says what there is, whoever asks under which name', async (path) => {
		const { apiUrl, authUrl } = fixture.sandbox;
		const apiOrigin = new URL(apiUrl).origin;
		const headers = { host: `127.0.0.1:${new URL(authUrl).port}` };

		const { data } = await http.get<Record<string, unknown>>(authUrl + path, { headers });

		expect(data).toMatchObject({
			issuer: authUrl,
			authorization_endpoint: `${apiOrigin}/api/oauth/authorize`,
			token_endpoint: `${authUrl}/oauth/token`,
			jwks_uri: `${authUrl}/jwks`,
			response_modes_supported: ['query'],
			grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
		});
		expect(
			Object.keys(data).filter((name) => /pushed|introspection|revocation/.test(name)),
		).toEqual([]);
	});

	test('names no address that is not there', async () => {
		const { authUrl } = fixture.sandbox;
		const { data } = await http.get<Record<string, unknown>>(authUrl + String(paths[0]));
		const named = Object.entries(data).filter(([name]) => /_endpoint$|_uri$/.test(name));

		for (const [name, url] of named) {
			const { status } = await http.get(String(url));
			const isThere = status !== 404 || name === 'token_endpoint';

			expect([name, isThere]).toEqual([name, true]);
		}

		expect(named).toHaveLength(3);
	});

	test('the service has no address for requests that are pushed', async () => {
		const { status } = await http.post(`${fixture.sandbox.authUrl}/request`, {});

		expect(status).toBe(404);
	});
});

describe('signing in', () => {
	test('after consent the browser comes back with a code and the state #consent-code-and-state', async () => {
		expect(await connectAs(fixture.sandbox, demo.userEmail)).toEqual({
			code: expect.stringMatching(/.{20,}/),
			state: 'state-of-this-test',
			iss: fixture.sandbox.authUrl,
		});
	});

	test('a user who refuses comes back with an error #refusal-comes-back', async () => {
		expect(await connectAs(fixture.sandbox, demo.userEmail, 'refuse')).toEqual({
			error: 'access_denied',
			error_description: 'The user refused access.',
			state: 'state-of-this-test',
			iss: fixture.sandbox.authUrl,
		});
	});

	test.each([
		['nobody@example.com', demo.userPassword],
		[demo.userEmail, 'wrong'],
	])('%s with the password %s gets no further', async (user, userPassword) => {
		const signedIn = connectAs({ ...fixture.sandbox, userPassword }, user);

		await expect(signedIn).rejects.toThrow(/password is wrong/);
	});

	test('a sign-in that has ended says so', async () => {
		const page = await http.get<string>(`${fixture.sandbox.authUrl}/sign-in/unknown`);

		expect([page.status, page.data]).toEqual([400, expect.stringContaining('has ended')]);
	});
});
