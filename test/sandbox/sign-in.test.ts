import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { startSandbox } from '../../sandbox/client';
import { refusal, World } from './support';
import { authorizationUrl, CALLBACK, connectAs } from './visitor';

const world = new World();

interface TokenAnswer {
	access_token: string;
	refresh_token?: string;
	id_token?: string;
	error?: string;
	error_description?: string;
}

const application = () => ({
	client_id: world.sandbox.applicationId,
	client_secret: world.sandbox.applicationSecret,
});

const ask = async (fields: Record<string, string>, url = world.sandbox.authUrl) =>
	await axios.post<TokenAnswer>(`${url}/oauth/token`, fields, { validateStatus: () => true });

const exchange = async (code: string | undefined, changes: Record<string, string> = {}) =>
	await ask({
		...application(),
		grant_type: 'authorization_code',
		code: code ?? '',
		redirect_uri: CALLBACK,
		...changes,
	});

const refresh = async (token: string | undefined, changes: Record<string, string> = {}) =>
	await ask({
		...application(),
		grant_type: 'refresh_token',
		refresh_token: token ?? '',
		...changes,
	});

/** Connects a user and answers the tokens. */
async function connected(user = world.sandbox.userEmail): Promise<TokenAnswer> {
	const { code } = await connectAs(world.sandbox, user);
	const { status, data } = await exchange(code);
	expect(status).toBe(200);
	return data;
}

const workspacesWith = async (token: string) => {
	const api = await world.client(token);
	return await api.get<{ data: { display_name: string; role: { display_name: string } }[] }>(
		'/user/current/workspaces',
	);
};

/** Where the authorization address sends a browser. */
async function sentTo(changes: Record<string, string> = {}) {
	const { status, headers } = await axios.get(authorizationUrl(world.sandbox, changes), {
		maxRedirects: 0,
		validateStatus: () => true,
	});
	expect(status).toBe(302);
	return new URL(String(headers['location']));
}

beforeEach(async () => {
	await world.sandbox.control.reset();
});

describe('the authorization address', () => {
	test('without a scope, openid profile email is asked for', async () => {
		expect((await sentTo()).searchParams.get('scope')).toBe('openid profile email');
		expect((await sentTo({ scope: 'openid' })).searchParams.get('scope')).toBe('openid');
	});

	test('without an audience, the service fills in its own', async () => {
		for (const changes of [{}, { audience: '' }, { audience: world.sandbox.audience }]) {
			const address = await sentTo(changes);
			expect(address.origin).toBe(world.sandbox.authUrl);
			expect(address.searchParams.get('audience')).toBe(world.sandbox.audience);
		}
	});

	test('the sign-in of another environment is refused and said to the application', async () => {
		const address = await sentTo({ audience: 'https://elsewhere.example' });
		const { headers } = await axios.get(address.href, {
			maxRedirects: 0,
			validateStatus: () => true,
		});
		const back = new URL(String(headers['location']));
		expect(back.href).toMatch(CALLBACK);
		expect(Object.fromEntries(back.searchParams)).toMatchObject({
			error: 'invalid_target',
			state: 'state-of-this-test',
		});
	});

	const registered = CALLBACK;
	test.each([
		['another path', `${registered}/`],
		['another query', `${registered}?`],
		['another port', registered.replace('5678', '5679')],
		['another spelling of the host', registered.replace('localhost', 'LOCALHOST')],
		['another scheme', registered.replace('http:', 'https:')],
		['another host', 'https://evil.example/callback'],
	])('a redirect URI is compared character by character: %s', async (_, redirectUri) => {
		const url = authorizationUrl(world.sandbox, { redirect_uri: redirectUri });
		const page = await axios.get<string>(url, {
			headers: { accept: 'text/html' },
			maxRedirects: 0,
			validateStatus: () => true,
		});
		expect(page.status).toBe(400);
		expect(page.headers['content-type']).toMatch('text/html');
		expect(page.data).toContain('is not registered for Bright Workflows');
		const answer = await axios.get(url, { maxRedirects: 0, validateStatus: () => true });
		expect(answer.headers).not.toHaveProperty('location');
		expect(refusal(answer)).toMatchObject({ code: 'unregistered_redirect_uri' });
	});

	test.each([
		['http://app.example/callback', 422],
		['ftp://localhost/callback', 422],
		['https://app.example/callback#part', 422],
		['nonsense', 422],
		['https://app.example/callback', 200],
		['http://127.0.0.1:5678/callback', 200],
		['http://[::1]/callback', 200],
	])('a redirect URI must use HTTPS, except on this machine: %s', async (redirectUri, status) => {
		const { applicationId, controlUrl } = world.sandbox;
		const answer = await axios.post(
			`${controlUrl}/redirect-uris`,
			{ applicationId, redirectUri },
			{ validateStatus: () => true },
		);
		expect(answer.status).toBe(status);
		const url = authorizationUrl(world.sandbox, { redirect_uri: redirectUri });
		const asked = await axios.get(url, { maxRedirects: 0, validateStatus: () => true });
		expect(asked.status).toBe(status === 200 ? 302 : 400);
	});

	test.each(['client_id', 'redirect_uri', 'response_type', 'state'])(
		'asks for %s',
		async (name) => {
			const url = new URL(authorizationUrl(world.sandbox));
			url.searchParams.delete(name);
			const answer = await axios.get(url.href, { maxRedirects: 0, validateStatus: () => true });
			expect(refusal(answer).message).toContain(name);
		},
	);

	test.each([
		['an unknown application', { client_id: 'nobody' }, /application/],
		['a client that acts for itself', { client_id: 'northwind-demo-client' }, /application/],
		['another response type', { response_type: 'token' }, /response_type/],
		['an empty state', { state: '' }, /state/],
	])('refuses %s', async (_, changes: Record<string, string>, message) => {
		const url = authorizationUrl(world.sandbox, changes);
		const answer = await axios.get(url, { maxRedirects: 0, validateStatus: () => true });
		expect(answer.status).toBe(400);
		expect(refusal(answer).message).toMatch(message);
	});
});

describe('signing in', () => {
	test('after consent the browser comes back with a code and the state', async () => {
		expect(await connectAs(world.sandbox, world.sandbox.userEmail)).toEqual({
			code: expect.stringMatching(/.{20,}/),
			state: 'state-of-this-test',
			iss: world.sandbox.authUrl,
		});
	});

	test('a user who refuses comes back with an error', async () => {
		expect(await connectAs(world.sandbox, world.sandbox.userEmail, 'refuse')).toEqual({
			error: 'access_denied',
			error_description: 'The user refused access.',
			state: 'state-of-this-test',
			iss: world.sandbox.authUrl,
		});
	});

	test('a wrong password or an unknown user gets no further', async () => {
		for (const user of ['nobody@example.com', `${world.sandbox.userEmail}x`]) {
			await expect(connectAs(world.sandbox, user)).rejects.toThrow(/password is wrong/);
		}
	});

	test('a sign-in that has ended says so', async () => {
		const page = await axios.get<string>(`${world.sandbox.authUrl}/sign-in/unknown`, {
			validateStatus: () => true,
		});
		expect(page.status).toBe(400);
		expect(page.data).toContain('This sign-in has ended');
	});
});

describe('a code', () => {
	test('a code becomes an access token, a refresh token and an ID token', async () => {
		const { code } = await connectAs(world.sandbox, world.sandbox.userEmail);
		const { status, data, headers } = await exchange(code);
		expect({ status, data }).toEqual({
			status: 200,
			data: {
				access_token: expect.any(String),
				token_type: 'Bearer',
				expires_in: 86400,
				refresh_token: expect.any(String),
				id_token: expect.any(String),
			},
		});
		expect(headers['cache-control']).toBe('no-store');
		const [, claims = ''] = data.id_token?.split('.') ?? [];
		expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
			iss: world.sandbox.authUrl,
			aud: world.sandbox.applicationId,
			sub: world.sandbox.userId,
			name: 'Nora Field',
			email: world.sandbox.userEmail,
		});
	});

	test('the token of a code acts for the user who consented', async () => {
		const roles = async (user: string) => {
			const { data } = await workspacesWith((await connected(user)).access_token);
			return data.data.map((each) => `${each.display_name}: ${each.role.display_name}`);
		};
		expect(await roles(world.sandbox.userEmail)).toEqual([
			'Northwind Media Studio: Approver',
			'Northwind Media US: Admin',
		]);
		expect(await roles('mira@agency.example')).toEqual([
			'Harbor Talent: Approver',
			'Northwind Media US: Accountant',
		]);
		expect(await roles('theo@newcomer.example')).toEqual([]);
	});

	test('a role is shown and restricts nothing', async () => {
		for (const user of [world.sandbox.userEmail, 'mira@agency.example']) {
			const api = await world.client((await connected(user)).access_token);
			const { status } = await api.post('/payable', {
				workspace_id: world.sandbox.workspaceId,
				payee_email: world.sandbox.verifiedVendorEmail,
				amount: 100,
			});
			expect({ user, status }).toEqual({ user, status: 200 });
		}
	});

	test('a form is taken as well as JSON, unless the sandbox is strict', async () => {
		const { code } = await connectAs(world.sandbox, world.sandbox.userEmail);
		const form = new URLSearchParams({
			...application(),
			grant_type: 'authorization_code',
			code: code ?? '',
			redirect_uri: CALLBACK,
		});
		const { status, data } = await axios.post<TokenAnswer>(
			`${world.sandbox.authUrl}/oauth/token`,
			form,
			{ validateStatus: () => true },
		);
		expect({ status, error: data.error }).toEqual({ status: 200, error: undefined });

		const strict = await startSandbox({ strictJson: true });
		try {
			const refused = await axios.post<TokenAnswer>(`${strict.authUrl}/oauth/token`, form, {
				validateStatus: () => true,
			});
			expect(refused.status).toBe(415);
			const { code: another } = await connectAs(strict, strict.userEmail);
			const fields = { ...Object.fromEntries(form), code: another ?? '' };
			expect((await ask(fields, strict.authUrl)).status).toBe(200);
		} finally {
			await strict.stop();
		}
	});

	test.each([
		['another secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
		['another application', { client_id: 'nobody' }, 401, 'invalid_client'],
		['another redirect URI', { redirect_uri: `${CALLBACK}/` }, 400, 'invalid_grant'],
		['another code', { code: 'x'.repeat(43) }, 400, 'invalid_grant'],
		['no code', { code: '' }, 400, 'invalid_request'],
	])('is worth nothing with %s', async (_, changes, status, error) => {
		const { code } = await connectAs(world.sandbox, world.sandbox.userEmail);
		const refused = await exchange(code, changes);
		expect({ status: refused.status, error: refused.data.error }).toEqual({ status, error });
		expect(JSON.stringify(refused.data)).not.toContain(world.sandbox.applicationSecret);
	});

	test('is worth nothing a second time, and then its tokens are worth nothing either', async () => {
		const { code } = await connectAs(world.sandbox, world.sandbox.userEmail);
		const { data } = await exchange(code);
		expect((await exchange(code)).data.error).toBe('invalid_grant');
		expect((await workspacesWith(data.access_token)).status).toBe(401);
	});

	test('is worth nothing to a client that acts for itself', async () => {
		const { code } = await connectAs(world.sandbox, world.sandbox.userEmail);
		const { clientId: client_id, clientSecret: client_secret } = world.sandbox;
		const refused = await exchange(code, { client_id, client_secret });
		expect(refused.data.error).toBe('unauthorized_client');
		const { audience } = world.sandbox;
		const own = await ask({ ...application(), grant_type: 'client_credentials', audience });
		expect(own.data.error).toBe('unauthorized_client');
	});
});

describe('tokens', () => {
	test('an access token lasts 86400 seconds', async () => {
		const { access_token } = await connected();
		await world.sandbox.control.advanceClock(86_390);
		expect((await workspacesWith(access_token)).status).toBe(200);
		await world.sandbox.control.advanceClock(20);
		expect((await workspacesWith(access_token)).status).toBe(401);
	});

	test('a refresh token outlives the access token', async () => {
		const { refresh_token } = await connected();
		await world.sandbox.control.advanceClock(86_410);
		const renewed = await refresh(refresh_token);
		expect((await workspacesWith(renewed.data.access_token)).status).toBe(200);

		await world.sandbox.control.advanceClock(31 * 86_400);
		expect((await refresh(renewed.data.refresh_token)).data.error).toBe('invalid_grant');
	});

	test('a refresh answers with a new refresh token, and the old one is worth nothing', async () => {
		const first = await connected();
		const second = await refresh(first.refresh_token);
		expect(second.data.refresh_token).toEqual(expect.any(String));
		expect(second.data.refresh_token).not.toBe(first.refresh_token);
		expect((await workspacesWith(second.data.access_token)).status).toBe(200);
		expect((await refresh(first.refresh_token)).data.error).toBe('invalid_grant');
	});

	test('a refresh may answer without a new refresh token, and the old one goes on', async () => {
		await world.sandbox.control.setRefreshTokens('kept');
		const { refresh_token } = await connected();
		for (const round of [1, 2, 3]) {
			const { status, data } = await refresh(refresh_token);
			expect({ round, status }).toEqual({ round, status: 200 });
			expect(data).not.toHaveProperty('refresh_token');
			expect((await workspacesWith(data.access_token)).status).toBe(200);
		}
	});

	test('a user can take access back', async () => {
		const nora = await connected();
		const mira = await connected('mira@agency.example');
		await world.sandbox.control.revokeGrants(world.sandbox.userEmail);
		expect((await workspacesWith(nora.access_token)).status).toBe(401);
		expect((await refresh(nora.refresh_token)).data.error).toBe('invalid_grant');
		expect((await workspacesWith(mira.access_token)).status).toBe(200);
	});

	test('secrets, codes and tokens are not in the request log', async () => {
		const { code } = await connectAs(world.sandbox, world.sandbox.userEmail);
		const { data } = await exchange(code);
		const renewed = await refresh(data.refresh_token);
		const log = JSON.stringify(await world.sandbox.control.requests());
		const secrets = [
			code,
			world.sandbox.applicationSecret,
			...[data, renewed.data].flatMap((each) => [
				each.access_token,
				each.refresh_token,
				each.id_token,
			]),
		];
		expect(log).toContain('authorization_code');
		for (const secret of secrets) expect(log).not.toContain(secret);
	});
});

test('what users have granted survives a restart', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'partner-payments-'));
	const data = join(folder, 'state.db');
	try {
		const before = await startSandbox({ data });
		const { code } = await connectAs(before, before.userEmail);
		const grant = { ...application(), redirect_uri: CALLBACK, code: code ?? '' };
		const tokens = await ask({ ...grant, grant_type: 'authorization_code' }, before.authUrl);
		await before.stop();
		const after = await startSandbox({ data });
		const fields = { ...application(), refresh_token: tokens.data.refresh_token ?? '' };
		const renewed = await ask({ ...fields, grant_type: 'refresh_token' }, after.authUrl);
		expect(renewed.status).toBe(200);
		await after.stop();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
