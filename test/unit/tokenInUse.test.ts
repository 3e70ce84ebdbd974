import { sharedToken } from '../../nodes/PartnerPayments/service/auth/accessToken';
import { tokenInUse } from '../../nodes/PartnerPayments/service/auth/tokenInUse';

const user = { oauthTokenData: { access_token: 'token-1', refresh_token: 'refresh' } };

test.each([
	['of a client that has none yet', { accessToken: '' }, undefined, undefined],
	['of a client', { accessToken: 'token-1' }, undefined, 'token-1'],
	['of a client that shows it', { accessToken: 'token-1' }, 'Bearer token-2', 'token-2'],
	['of a user', user, undefined, 'token-1'],
	['of a user after a renewal', user, 'bearer token-2', 'token-2'],
	['of nobody', {}, undefined, undefined],
])('the token %s', (_, credentials, authorization, token) => {
	expect(tokenInUse(credentials, authorization)).toBe(token);
});

test('the token of a client is the latest that this process was issued', async () => {
	const client = {
		authBaseUrl: 'https://auth.example.com',
		clientId: 'client-in-use',
		clientSecret: 'secret',
		audience: 'api',
		accessToken: 'token-0',
	};
	await sharedToken(
		client,
		'token-0',
		async () => await Promise.resolve({ status: 200, text: '{"access_token":"token-1"}' }),
	);
	expect(tokenInUse(client, undefined)).toBe('token-1');
});
