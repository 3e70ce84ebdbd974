import { asItIs, http, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

test('keeps what was sent and answered', async () => {
	const body = { workspace_id: fixture.sandbox.workspaceId, payee_email: 'x', amount: 5 };
	await fixture.api.post('/payable?trace=1', body, { headers: { 'user-agent': 'test/1' } });

	expect(await fixture.control.requests()).toMatchObject([
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
			account: fixture.sandbox.clientId,
		},
	]);
});

test('tells by the fingerprint whether two requests used the same token', async () => {
	const path = fixture.path();
	const second = await fixture.client();
	await fixture.control.clearRequests();
	await fixture.api.get(path);
	await fixture.api.get(path);
	await second.get(path);
	await (await fixture.client(null)).get(path);

	const prints = (await fixture.control.requests()).map((entry) => entry.tokenFingerprint);

	expect(prints[0]).toBe(prints[1]);
	expect(prints[0]).not.toBe(prints[2]);
	expect(prints[3]).toBeNull();
});

test('has no secret and no token in it', async () => {
	const { authUrl, apiUrl, clientId, audience, controlUrl } = fixture.sandbox;
	const secret = 'extremely-secret-value';
	const grant = { grant_type: 'client_credentials', client_id: clientId, audience };
	const hidden = { client_secret: secret, refresh_token: secret, code: secret };
	const fields = { ...grant, ...hidden, nested: { access_token: secret } };
	const url = `${authUrl}/oauth/token`;
	await http.post(url, fields);
	await http.post(url, new URLSearchParams({ client_secret: secret }));
	for (const { type, broken } of [
		{ type: 'application/json', broken: `{"client_secret": "${secret}"` },
		{ type: 'application/json', broken: JSON.stringify(`secret=${secret}`) },
		{ type: 'text/plain', broken: `client_secret=${secret}` },
	]) {
		await http.post(url, broken, { ...asItIs, headers: { 'content-type': type } });
	}

	const headers = { authorization: `Bearer ${secret}` };
	await http.get(`${apiUrl}/user/current?access_token=${secret}`, { headers });
	const token = await fixture.sandbox.token();
	await (await fixture.client(token)).get('/user/current');

	const { data } = await http.get<string>(`${controlUrl}/requests`, { responseType: 'text' });

	const entries = await fixture.control.requests('requestToken');
	for (const value of [secret, token, fixture.sandbox.clientSecret]) {
		expect(data).not.toContain(value);
	}
	expect(entries[0]?.body).toMatchObject({ client_id: clientId, client_secret: '[hidden]' });
});
