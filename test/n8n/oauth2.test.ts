import axios from 'axios';

import { useBench } from './setup';

const bench = useBench();

test('n8n sends the browser to the authorization address of the API host', async () => {
	const { n8n, sandbox, credentialData } = bench();
	const credential = await n8n.createCredential('User', 'partnerPaymentsOAuth2Api', credentialData);
	const address = new URL(await n8n.authorizationUrl(credential));

	expect(address.origin + address.pathname).toBe(
		`${new URL(sandbox.apiUrl).origin}/api/oauth/authorize`,
	);
	expect(Object.fromEntries(address.searchParams)).toMatchObject({
		client_id: sandbox.clientId,
		response_type: 'code',
		scope: 'openid profile email',
		audience: sandbox.audience,
		redirect_uri: `${n8n.url}/rest/oauth2-credential/callback`,
		state: expect.stringMatching(/.{16,}/),
	});

	await sandbox.control.clearRequests();
	await axios.get(address.href, { maxRedirects: 0, validateStatus: () => true });
	const [request] = await sandbox.control.requests('authorize');
	expect(request).toMatchObject({
		outsideContract: false,
		errorCode: expect.not.stringMatching(/^invalid_request$/),
	});
});
