import axios from 'axios';
import { World } from './support';

const world = new World();
beforeEach(async () => await world.sandbox.control.clearRequests());

test('keeps what was sent and answered', async () => {
	const body = { workspace_id: world.sandbox.workspaceId, payee_email: 'x', amount: 5 };
	await world.api.post('/payable?trace=1', body, { headers: { 'user-agent': 'test/1' } });
	expect(await world.sandbox.control.requests()).toMatchObject([
		{
			host: 'api',
			method: 'POST',
			path: '/api/payable',
			query: { trace: '1' },
			operationId: 'createPayable',
			outsideContract: false,
			status: 400,
			errorCode: 'invalid_request',
			body,
			contentType: 'application/json',
			userAgent: 'test/1',
			account: world.sandbox.clientId,
		},
	]);
});

test('tells by the fingerprint whether two requests used the same token', async () => {
	const path = `/workspace/${world.sandbox.workspaceId}`;
	const second = await world.client();
	await world.sandbox.control.clearRequests();
	await world.api.get(path);
	await world.api.get(path);
	await second.get(path);
	await (await world.client(null)).get(path);
	const prints = (await world.sandbox.control.requests()).map((entry) => entry.tokenFingerprint);
	expect(prints[0]).toBe(prints[1]);
	expect(prints[0]).not.toBe(prints[2]);
	expect(prints[3]).toBeNull();
});

test('has no secret and no token in it', async () => {
	const { authUrl, apiUrl, clientId, audience, controlUrl } = world.sandbox;
	const secret = 'extremely-secret-value';
	const fields = {
		grant_type: 'client_credentials',
		client_id: clientId,
		client_secret: secret,
		refresh_token: secret,
		code: secret,
		audience,
		nested: { access_token: secret },
	};
	const any = { validateStatus: () => true };
	await axios.post(`${authUrl}/oauth/token`, fields, any);
	await axios.post(`${authUrl}/oauth/token`, new URLSearchParams({ client_secret: secret }), any);
	for (const broken of [`{"client_secret": "${secret}"`, JSON.stringify(`secret=${secret}`)]) {
		await axios.post(`${authUrl}/oauth/token`, broken, {
			...any,
			headers: { 'content-type': 'application/json' },
			transformRequest: [(data: unknown) => data],
		});
	}
	await axios.post(`${authUrl}/oauth/token`, `client_secret=${secret}`, {
		...any,
		headers: { 'content-type': 'text/plain' },
	});
	await axios.get(`${apiUrl}/user/current?access_token=${secret}`, {
		...any,
		headers: { authorization: `Bearer ${secret}` },
	});
	const token = await world.sandbox.token();
	await (await world.client(token)).get('/user/current');
	const { data } = await axios.get<string>(`${controlUrl}/requests`, { responseType: 'text' });
	expect(data).not.toContain(secret);
	expect(data).not.toContain(token);
	expect(data).not.toContain(world.sandbox.clientSecret);
	const entries = await world.sandbox.control.requests('requestToken');
	expect(entries[0]?.body).toMatchObject({ client_id: clientId, client_secret: '[hidden]' });
});

test('can be read by operation', async () => {
	await world.api.get(`/workspace/${world.sandbox.workspaceId}`);
	await world.api.get('/user/current');
	const [entry, ...rest] = await world.sandbox.control.requests('getCurrentUser');
	expect([entry?.status, rest]).toEqual([403, []]);
});

test('does not show the control API', async () => {
	await world.sandbox.control.state();
	expect(await world.sandbox.control.requests()).toEqual([]);
});
