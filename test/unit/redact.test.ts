import fc from 'fast-check';

import { redactor } from '../../nodes/PartnerPayments/service/http/redact';

const CREDENTIALS = {
	clientId: 'client-1',
	clientSecret: 'sec"ret/ü&1',
	accessToken: 'opaque-token-1',
	webhookSigningSecret: 'whsec_12',
	oauthTokenData: { access_token: 'oauth-access', refresh_token: 'oauth-refresh', token_type: 'x' },
};
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjbGllbnQifQ.c2lnbmF0dXJl_-0';

test.each([
	['the client secret', 'a sec"ret/ü&1 b', 'a [redacted] b'],
	['the client secret in JSON', JSON.stringify({ s: 'sec"ret/ü&1' }), '{"s":"[redacted]"}'],
	['the client secret in a URL', 'x=sec%22ret%2F%C3%BC%261&y=1', 'x=[redacted]&y=1'],
	['the access token', 'token opaque-token-1.', 'token [redacted].'],
	['each time', 'whsec_12 whsec_12', '[redacted] [redacted]'],
	['the OAuth2 access token', '<oauth-access>', '<[redacted]>'],
	['the OAuth2 refresh token', '<oauth-refresh>', '<[redacted]>'],
	['an unknown JWT', `token ${JWT}, see`, 'token [redacted], see'],
	[
		'an unknown bearer token',
		'Authorization: Bearer abc123-XYZ.~+/==',
		'Authorization: [redacted]',
	],
	['a bearer token in small letters', 'bearer  abc123-XYZ', '[redacted]'],
	[
		'nothing else',
		'client-1 paid {"amount":1999} for a bearer',
		'client-1 paid {"amount":1999} for a bearer',
	],
	['nothing of an empty text', '', ''],
])('takes out %s', (_, text, without) => {
	expect(redactor(CREDENTIALS)(text)).toBe(without);
});

test.each([
	['empty', { clientSecret: '', accessToken: '' }],
	['missing', {}],
	['no texts', { clientSecret: 5, accessToken: null, oauthTokenData: 'text' }],
	['too short to be secrets', { clientSecret: 'pay', accessToken: 'p' }],
])('leaves a text alone when the secrets are %s', (_, credentials) => {
	expect(redactor(credentials)('the payable was paid')).toBe('the payable was paid');
});

test('a secret that another one begins with leaves no rest of it', () => {
	const redact = redactor({ clientSecret: 'abcd-efgh', accessToken: 'abcd-efgh-ijkl' });
	expect(redact('abcd-efgh-ijkl')).toBe('[redacted]');
});

test('no secret is left, as it stands, in JSON or in a URL', () => {
	const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim() === text);
	fc.assert(
		fc.property(secret, fc.string(), fc.string(), (clientSecret, before, after) => {
			fc.pre(!'[redacted]'.includes(clientSecret));
			const redact = redactor({ clientSecret });
			const text = before + clientSecret + after;
			expect(redact(text)).not.toContain(clientSecret);
			expect(JSON.parse(redact(JSON.stringify([text])))).not.toEqual([
				expect.stringContaining(clientSecret),
			]);
			const query = encodeURIComponent(clientSecret);
			expect(redact(`https://x.example/?s=${query}&t=1`)).not.toContain(query);
		}),
	);
});
