import type { components } from '../../contract/service';
import { checkResponse } from './contract-checks';
import { asItIs, demo, errorOf, http, SandboxFixture } from './fixture';
import { DataFile } from './processes';
import { CALLBACK, connectAs } from './visitor';

const file = new DataFile();
const fixture = new SandboxFixture();
const strict = new SandboxFixture({ strictJson: true });
const MIRA = 'mira@agency.example';
const { userEmail, workspaceId: workspace_id, applicationId, applicationSecret } = demo;

type TokenAnswer = components['schemas']['Token'] & { error?: string; error_description?: string };
type Fields = Record<string, unknown>;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

/** Asks for a token, with a body as it stands or with fields as JSON. */
async function ask(body: unknown, type = JSON_TYPE, authUrl = fixture.sandbox.authUrl) {
	const sent = typeof body === 'string' ? body : JSON.stringify(body);
	const config = { ...asItIs, headers: { 'content-type': type } };
	const response = await http.post<TokenAnswer>(`${authUrl}/oauth/token`, sent, config);
	checkResponse('post', '/oauth/token', response.status, response.data);

	return response;
}

const credentials = () => ({
	grant_type: 'client_credentials',
	client_id: demo.clientId,
	client_secret: demo.clientSecret,
	audience: fixture.sandbox.audience,
});

const application = { client_id: applicationId, client_secret: applicationSecret };
const redirect_uri = CALLBACK;
const codeGrant = (code = '') => ({
	...application,
	grant_type: 'authorization_code',
	redirect_uri,
	code,
});

const exchange = async (code?: string, changes: Fields = {}) =>
	await ask({ ...codeGrant(code), ...changes });
const refresh = async (refresh_token = '', authUrl?: string) =>
	await ask({ ...application, grant_type: 'refresh_token', refresh_token }, JSON_TYPE, authUrl);
const newCode = async (sandbox = fixture.sandbox, user: string = userEmail) =>
	(await connectAs(sandbox, user)).code;

/** Connects a user and answers the tokens. */
async function connected(user?: string, sandbox = fixture.sandbox): Promise<TokenAnswer> {
	const code = await newCode(sandbox, user);

	const { status, data } = await ask(codeGrant(code), JSON_TYPE, sandbox.authUrl);

	expect(status).toBe(200);

	return data;
}

const workspacesWith = async (token: string) => {
	const api = await fixture.client(token);
	return await api.get<{ data: { display_name: string; role: { display_name: string } }[] }>(
		'/user/current/workspaces',
	);
};

const statusWith = async ({ access_token }: TokenAnswer) =>
	(await workspacesWith(access_token)).status;

test.each([
	['JSON', JSON.stringify, 'application/json; charset=utf-8'],
	['a form', (fields: Record<string, string>) => new URLSearchParams(fields).toString(), FORM],
])(
	'client credentials become a bearer token for 86400 seconds: %s #client-token-lifetime',
	async (_, write, type) => {
		const { status, data, headers } = await ask(write(credentials()), type);

		expect({ status, data }).toEqual({
			status: 200,
			data: { access_token: expect.any(String) as string, token_type: 'Bearer', expires_in: 86400 },
		});
		expect(headers['cache-control']).toBe('no-store');
	},
);

describe('no token', () => {
	test.each<[string, changes: unknown, status: number, error: string, RegExp]>([
		['unknown client', { client_id: 'x' }, 401, 'invalid_client', /client/],
		['wrong secret', { client_secret: 'x' }, 401, 'invalid_client', /secret/],
		['wrong audience', { audience: 'x' }, 403, 'access_denied', /audience/],
		['no audience', { audience: undefined }, 400, 'invalid_request', /audience/],
		['no client', { client_id: '' }, 400, 'invalid_request', /client_id/],
		['unknown grant', { grant_type: 'x' }, 400, 'unsupported_grant_type', /x/],
		['broken JSON', '{', 400, 'invalid_request', /JSON/],
	])('%s', async (_, changes, status, error, description) => {
		const body = typeof changes === 'string' ? changes : Object.assign(credentials(), changes);

		const response = await ask(body);

		expect({ status: response.status, error: response.data.error }).toEqual({ status, error });
		expect(response.data.error_description).toMatch(description);
		expect(JSON.stringify(response.data)).not.toContain(demo.clientSecret);
	});

	test('a form body when JSON is demanded, of a client or of a code', async () => {
		const { authUrl } = strict.sandbox;
		for (const fields of [credentials(), codeGrant(await newCode(strict.sandbox))]) {
			const response = await ask(new URLSearchParams(fields).toString(), FORM, authUrl);

			expect(response.status).toBe(415);
			expect(response.data.error_description).toContain(JSON_TYPE);
			expect((await ask('client_id=x', 'text/plain')).status).toBe(415);
			expect((await ask(fields, JSON_TYPE, authUrl)).status).toBe(200);
		}
	});
});

describe('expiry', () => {
	const request = async (token: string) => await (await fixture.client(token)).get(fixture.path());
	const expired = { status: 401, message: 'The access token has expired.' };

	test.each([
		['a client', async () => await fixture.sandbox.token()],
		['a user', async () => (await connected()).access_token],
	])(
		'an access token of %s lasts 86400 seconds, or until all expire #access-token-lifetime',
		async (_, newToken) => {
			const token = await newToken();
			await fixture.control.advanceClock(86_400 - 10);

			expect((await request(token)).status).toBe(200);

			await fixture.control.advanceClock(11);

			expect(errorOf(await request(token))).toMatchObject(expired);

			const another = await newToken();

			expect((await request(another)).status).toBe(200);

			await fixture.control.expireTokens();

			expect(errorOf(await request(another))).toMatchObject(expired);
			expect((await request(await newToken())).status).toBe(200);
		},
	);

	test('a token of one environment is none in another', async () => {
		expect(errorOf(await request(await strict.sandbox.token())).status).toBe(401);
	});
});

describe('a code', () => {
	test('a code becomes an access token, a refresh token and an ID token #code-becomes-tokens', async () => {
		const { status, data, headers } = await exchange(await newCode());

		const text: unknown = expect.any(String);
		const [, claims = ''] = data.id_token?.split('.') ?? [];
		expect({ status, data }).toEqual({
			status: 200,
			data: {
				access_token: text,
				refresh_token: text,
				id_token: text,
				token_type: 'Bearer',
				expires_in: 86400,
			},
		});
		expect(headers['cache-control']).toBe('no-store');
		expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
			iss: fixture.sandbox.authUrl,
			aud: applicationId,
			sub: demo.userId,
			name: 'Nora Field',
			email: userEmail,
		});
	});

	test('the token of a code acts for the user who consented #code-acts-for-user', async () => {
		const roles = async (user: string) => {
			const { data } = await workspacesWith((await connected(user)).access_token);
			return data.data.map((each) => `${each.display_name}: ${each.role.display_name}`);
		};

		expect(await roles(userEmail)).toEqual([
			'Northwind Media Studio: Approver',
			'Northwind Media US: Admin',
		]);
		expect(await roles(MIRA)).toEqual([
			'Harbor Talent: Approver',
			'Northwind Media US: Accountant',
		]);
		expect(await roles('theo@newcomer.example')).toEqual([]);
	});

	test('a role is shown and restricts nothing #role-restricts-nothing', async () => {
		for (const user of [userEmail, MIRA]) {
			const api = await fixture.client((await connected(user)).access_token);
			const body = { workspace_id, payee_email: demo.verifiedVendorEmail, amount: 100 };

			const { status } = await api.post('/payable', body);

			expect({ user, status }).toEqual({ user, status: 200 });
		}
	});

	test.each([
		['another secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
		['another redirect URI', { redirect_uri: `${CALLBACK}/` }, 400, 'invalid_grant'],
		['another code', { code: 'x'.repeat(43) }, 400, 'invalid_grant'],
	])('is worth nothing with %s #code-with-its-own-values', async (_, changes, status, error) => {
		const refused = await exchange(await newCode(), changes);

		expect({ status: refused.status, error: refused.data.error }).toEqual({ status, error });
		expect(JSON.stringify(refused.data)).not.toContain(applicationSecret);
	});

	test('is worth nothing a second time, and then its tokens are worth nothing either', async () => {
		const code = await newCode();
		const { data } = await exchange(code);

		expect((await exchange(code)).data.error).toBe('invalid_grant');
		expect(await statusWith(data)).toBe(401);
	});

	test('is worth nothing to a client that acts for itself, nor the other way round', async () => {
		const { client_id, client_secret, audience } = credentials();

		const refused = await exchange(await newCode(), { client_id, client_secret });
		const own = await ask({ ...application, grant_type: 'client_credentials', audience });

		expect(refused.data.error).toBe('unauthorized_client');
		expect(own.data.error).toBe('unauthorized_client');
	});
});

describe('tokens', () => {
	test('a refresh token outlives the access token #refresh-token-lifetime', async () => {
		const { refresh_token } = await connected();
		await fixture.control.advanceClock(86_410);
		const renewed = await refresh(refresh_token);

		expect(await statusWith(renewed.data)).toBe(200);

		await fixture.control.advanceClock(31 * 86_400);

		expect((await refresh(renewed.data.refresh_token)).data.error).toBe('invalid_grant');
	});

	test('a refresh answers with a new refresh token, and the old one is worth nothing #refresh-rotates', async () => {
		const first = await connected();

		const second = await refresh(first.refresh_token);

		expect(second.data.refresh_token).toEqual(expect.any(String));
		expect(second.data.refresh_token).not.toBe(first.refresh_token);
		expect(await statusWith(second.data)).toBe(200);

		await fixture.control.advanceClock(61);

		expect((await refresh(first.refresh_token)).data.error).toBe('invalid_grant');
	});

	test('two refreshes at once keep the connection, and so does one that is sent again', async () => {
		const first = await connected();

		const both = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
		await fixture.control.advanceClock(50);
		const again = await refresh(first.refresh_token);

		const renewed = [...both, again].map(({ data }) => data);
		for (const tokens of renewed) {
			expect(await statusWith(tokens)).toBe(200);
			expect((await refresh(tokens.refresh_token)).status).toBe(200);
		}

		expect(new Set(renewed.map(({ refresh_token }) => refresh_token)).size).toBe(3);
	});

	test('the grace of a refresh token is not made longer by its use', async () => {
		const first = await connected();
		await refresh(first.refresh_token);
		await fixture.control.advanceClock(50);
		await refresh(first.refresh_token);
		await fixture.control.advanceClock(20);

		const late = await refresh(first.refresh_token);

		expect(late.data.error).toBe('invalid_grant');
		expect(await statusWith(first)).toBe(401);
	});

	test.each([
		['a client', async () => await fixture.sandbox.token()],
		['a user', async () => (await connected()).access_token],
		['the control API', async () => await fixture.control.userToken()],
	])('of %s say who issued them and which key signed them', async (_, newToken) => {
		const { authUrl } = fixture.sandbox;
		const token = await newToken();
		const { data } = await http.get<{ keys: { kid: string }[] }>(`${authUrl}/jwks`);

		const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url'));

		expect(data.keys).toHaveLength(1);
		expect(JSON.parse(String(header))).toMatchObject({ kid: data.keys[0]?.kid, alg: 'ES256' });
		expect(JSON.parse(String(claims))).toMatchObject({
			iss: authUrl,
			aud: fixture.sandbox.audience,
			jti: expect.any(String) as string,
		});
	});

	test('a refresh may answer without a new refresh token, and the old one stays valid #refresh-may-keep', async () => {
		await fixture.control.setSettings({ refreshTokens: 'kept' });
		const { refresh_token } = await connected();
		for (const round of [1, 2, 3]) {
			const { status, data } = await refresh(refresh_token);

			expect({ round, status }).toEqual({ round, status: 200 });
			expect(data).not.toHaveProperty('refresh_token');
			expect(await statusWith(data)).toBe(200);
		}
	});

	test('a user can take access back', async () => {
		const [nora, mira] = [await connected(), await connected(MIRA)];
		await fixture.control.revokeGrants(userEmail);

		expect(await statusWith(nora)).toBe(401);
		expect((await refresh(nora.refresh_token)).data.error).toBe('invalid_grant');
		expect(await statusWith(mira)).toBe(200);
	});

	test('what users have granted survives a restart', async () => {
		const { refresh_token } = await connected(userEmail, await file.start());
		const { authUrl } = await file.start();

		expect((await refresh(refresh_token, authUrl)).status).toBe(200);
	});
});

test('a client that got another secret gets tokens with that one alone', async () => {
	const { clientId } = demo;
	const clientSecret = 'another-secret';

	await fixture.control.setClientSecret(clientId, clientSecret);

	await expect(fixture.sandbox.token()).rejects.toMatchObject({ response: { status: 401 } });
	await expect(fixture.sandbox.token({ clientId, clientSecret })).resolves.not.toBe('');
});
