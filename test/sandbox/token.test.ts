import axios from 'axios';
import { checkResponse } from './contract-checks';
import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

const good = () => ({
	grant_type: 'client_credentials',
	client_id: fixture.sandbox.clientId,
	client_secret: fixture.sandbox.clientSecret,
	audience: fixture.sandbox.audience,
});

async function ask(body: unknown, contentType = 'application/json', authUrl?: string) {
	const response = await axios.post<{ error?: string; error_description?: string }>(
		`${authUrl ?? fixture.sandbox.authUrl}/oauth/token`,
		typeof body === 'string' ? body : JSON.stringify(body),
		{
			headers: { 'content-type': contentType },
			validateStatus: () => true,
			// As it is: axios would make proper JSON of it.
			transformRequest: [(data: unknown) => data],
		},
	);
	checkResponse('post', '/oauth/token', response.status, response.data);
	return response;
}

const form = () => new URLSearchParams(good()).toString();
const FORM = 'application/x-www-form-urlencoded';

test.each([
	['JSON', () => JSON.stringify(good()), 'application/json; charset=utf-8'],
	['a form', form, FORM],
])(
	'client credentials become a bearer token for 86400 seconds: %s #client-token-lifetime',
	async (_, body, type) => {
		const { status, data, headers } = await ask(body(), type);
		expect({ status, data }).toEqual({
			status: 200,
			data: { access_token: expect.any(String) as string, token_type: 'Bearer', expires_in: 86400 },
		});
		expect(headers['cache-control']).toBe('no-store');
	},
);

describe('no token', () => {
	const cases: [string, () => unknown, number, string, RegExp][] = [
		['unknown client', () => ({ ...good(), client_id: 'x' }), 401, 'invalid_client', /client/],
		['wrong secret', () => ({ ...good(), client_secret: 'x' }), 401, 'invalid_client', /secret/],
		['wrong audience', () => ({ ...good(), audience: 'x' }), 403, 'access_denied', /audience/],
		['no audience', () => ({ ...good(), audience: undefined }), 400, 'invalid_request', /audience/],
		['no client', () => ({ ...good(), client_id: '' }), 400, 'invalid_request', /client_id/],
		['no secret', () => ({ ...good(), client_secret: 5 }), 400, 'invalid_request', /client_secret/],
		[
			'no grant type',
			() => ({ ...good(), grant_type: null }),
			400,
			'invalid_request',
			/grant_type/,
		],
		['unknown grant', () => ({ ...good(), grant_type: 'x' }), 400, 'unsupported_grant_type', /x/],
		['password grant', () => ({ grant_type: 'password' }), 400, 'unsupported_grant_type', /grant/],
		['broken JSON', () => '{', 400, 'invalid_request', /JSON/],
		['a list', () => [], 400, 'invalid_request', /object/],
	];
	test.each(cases)('%s', async (_, body, status, error, description) => {
		const response = await ask(body());
		expect({ status: response.status, error: response.data.error }).toEqual({ status, error });
		expect(response.data.error_description).toMatch(description);
		expect(JSON.stringify(response.data)).not.toContain(fixture.sandbox.clientSecret);
	});

	test('another content type', async () => {
		expect((await ask(form(), 'text/plain')).status).toBe(415);
	});

	test('a form body when JSON is demanded', async () => {
		// Started by the other half of this file's sandboxes, see below.
		const response = await ask(form(), FORM, strict.sandbox.authUrl);
		expect(response.status).toBe(415);
		expect(response.data.error_description).toContain('application/json');
		expect((await ask(good(), 'application/json', strict.sandbox.authUrl)).status).toBe(200);
	});
});

const strict = new SandboxFixture({ strictJson: true });

test('the token endpoint has nothing else', async () => {
	const { status, data } = await axios.get<unknown>(`${fixture.sandbox.authUrl}/oauth/token`, {
		validateStatus: () => true,
	});
	expect({ status, data }).toMatchObject({ status: 404, data: { error: 'unknown_endpoint' } });
});

describe('expiry', () => {
	const request = async (token: string) =>
		await (await fixture.client(token)).get(`/workspace/${fixture.sandbox.workspaceId}`);

	test('a token is good for 24 hours and not a second longer', async () => {
		const token = await fixture.sandbox.token();
		await fixture.sandbox.control.advanceClock(86_400 - 30);
		expect((await request(token)).status).toBe(200);
		await fixture.sandbox.control.advanceClock(31);
		expect(errorOf(await request(token))).toMatchObject({
			status: 401,
			message: 'The access token has expired.',
		});
		expect((await request(await fixture.sandbox.token())).status).toBe(200);
	});

	test('all tokens can be made to expire', async () => {
		const token = await fixture.sandbox.token();
		await fixture.sandbox.control.expireTokens();
		expect(errorOf(await request(token)).message).toBe('The access token has expired.');
		expect((await request(await fixture.sandbox.token())).status).toBe(200);
	});
});

test('a token of one environment is none in another', async () => {
	const api = await fixture.client(await strict.sandbox.token());
	const response = await api.get(`/workspace/${fixture.sandbox.workspaceId}`);
	expect(errorOf(response).status).toBe(401);
});
