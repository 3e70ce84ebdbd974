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
		{ redirectUri: 'http://127.0.0.1:5678/callback', registered: 200, asked: 302 },
		{ redirectUri: 'http://[::1]/callback', registered: 200, asked: 302 },
	])(
		'a redirect URI must use HTTPS, except on this machine: $redirectUri #redirect-uri-https',
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
	])('refuses %s #authorization-parameters', async (_, changes: Changes, message) => {
		const answer = errorOf(await ask(changes));

		expect(answer).toMatchObject({ status: 400, message: expect.stringMatching(message) });
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
