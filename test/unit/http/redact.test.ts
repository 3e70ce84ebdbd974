import fc from 'fast-check';
import {
	oAuth2Tokens,
	redactedBody,
	redactNamed,
	redactNamedInText,
	redactor,
} from '../../../nodes/PartnerPayments/api/http/redact';
import { NESTED_DEEPLY } from '../bodies';

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
	['no ordinary text after bearer', 'the bearer instruments', 'the bearer instruments'],
	[
		'nothing else',
		'client-1 paid {"amount":1999} for a bearer',
		'client-1 paid {"amount":1999} for a bearer',
	],
	['nothing of an empty text', '', ''],
])('removes %s', (_, text, without) => {
	expect(redactor(CREDENTIALS)(text)).toBe(without);
});

test.each([
	['empty', { clientSecret: '', accessToken: '' }],
	['missing', {}],
	['no texts', { clientSecret: 5, accessToken: null, oauthTokenData: 'text' }],
])('changes nothing when the secrets are %s', (_, credentials) => {
	expect(redactor(credentials)('the payable was paid')).toBe('the payable was paid');
});

test('the longer one of two secrets that begin alike is removed completely', () => {
	const redact = redactor({ clientSecret: 'abcd-efgh', accessToken: 'abcd-efgh-ijkl' });

	expect(redact('abcd-efgh-ijkl')).toBe('[redacted]');
});

test('no secret remains, be it in plain text, in JSON or in a URL', () => {
	const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim() === text);
	const json = (value: string): string => JSON.stringify(value).slice(1, -1);
	fc.assert(
		fc.property(secret, fc.string(), fc.string(), (clientSecret, before, after) => {
			fc.pre(!'[redacted]'.includes(clientSecret));
			const text = before + clientSecret + after;
			const query = encodeURIComponent(clientSecret);

			const redact = redactor({ clientSecret });

			expect(redact(text)).not.toContain(clientSecret);
			expect(redact(json(text))).not.toContain(json(clientSecret));
			expect(redact(`https://x.example/?s=${query}&t=1`)).not.toContain(query);
		}),
	);
});

test.each<[form: string, text: string]>([
	['base64', Buffer.from('secret-1?>').toString('base64')],
	['base64 of a URL', Buffer.from('secret-1?>').toString('base64url')],
	['the client of Basic Authentication', Buffer.from('client-1:secret-1?>').toString('base64')],
])('a secret is removed in %s', (_, text) => {
	const redact = redactor({ clientId: 'client-1', clientSecret: 'secret-1?>' });

	expect(redact(`Basic ${text}, once`)).toMatch(/^Basic \[redacted\]=*, once$/);
	expect(redact('client-1')).toBe('client-1');
});

test('a text of less than six characters is not taken for a secret', () => {
	const redact = redactor({ clientSecret: 'sixsix', accessToken: 'fives' });

	expect(redact('sixsix and fives')).toBe('[redacted] and fives');
});

test.each([
	['a token', 'newer-token', 'newer-token'],
	['a header with a token', 'Bearer newer-token', 'newer-token'],
	['a header with blanks', 'bearer   newer-token', 'newer-token'],
	['a token that contains the name of the scheme', 'my Bearer token', 'my Bearer token'],
])('a newer secret is removed that is given as %s', (_, newer, secret) => {
	expect(redactor({}, newer)(`it is <${secret}>`)).toBe('it is <[redacted]>');
});

test('a newer token that is missing removes nothing', () => {
	expect(redactor({}, undefined, 5, null)('undefined 5 null')).toBe('undefined 5 null');
});

test('a body is searched in all its texts and names', () => {
	const redact = redactor({ clientSecret: 'secret-1' });
	const body = {
		text: 'a secret-1 b',
		'secret-1': { deep: ['secret-1', 5, null, true, { deeper: 'secret-1' }] },
	};

	expect(redactedBody(body, redact)).toEqual({
		text: 'a [redacted] b',
		'[redacted]': { deep: ['[redacted]', 5, null, true, { deeper: '[redacted]' }] },
	});
	expect(redactedBody('it is secret-1', redact)).toBe('it is [redacted]');
	expect(redactedBody(undefined, redact)).toBeUndefined();
});

test.each<[what: string, credentials: Record<string, unknown>, tokens: unknown[]]>([
	[
		'connected',
		{ oauthTokenData: { access_token: 'a', token_type: 'Bearer', refresh_token: 'r' } },
		['a', 'r'],
	],
	['not connected', {}, []],
	['disconnected', { oauthTokenData: null }, []],
	['damaged', { oauthTokenData: 'text' }, []],
])('the tokens of an account that is %s are found', (_, credentials, tokens) => {
	expect(oAuth2Tokens(credentials)).toEqual(tokens);
});

test('what is nested too deep to be read is cut', () => {
	for (const body of NESTED_DEEPLY) {
		for (const cut of [redactedBody(body, redactor({})), redactNamed(body)]) {
			expect(JSON.stringify(cut)).toMatch(/"\[too deep\]"[\]}]{100}$/);
		}
	}
});

test('half of a surrogate pair in a token does not keep an answer from being read', () => {
	const token = 'token-\ud800-1';

	const redact = redactor({ oauthTokenData: { access_token: token } });

	expect(redact(`Bad ${token} and ${JSON.stringify(token)}`)).toBe(
		'Bad [redacted] and "[redacted]"',
	);
});

test.each([
	['as it is', `a/b"c&d<e>'1234`],
	['in JSON', `a/b\\"c&d<e>'1234`],
	['in JSON that escapes slashes', `a\\/b\\"c&d<e>'1234`],
	['in a URL', `a%2Fb%22c%26d%3Ce%3E'1234`],
	['in a URL in small letters', `a%2fb%22c%26d%3ce%3e'1234`],
	['in a page', 'a/b&quot;c&amp;d&lt;e&gt;&#39;1234'],
])('a secret is found %s', (_, written) => {
	const redact = redactor({ clientSecret: `a/b"c&d<e>'1234` });

	expect(redact(`The secret ${written} is wrong`)).toBe('The secret [redacted] is wrong');
});

const SECRET = 'a-value-that-signs';

test.each([
	'secret',
	'client_secret',
	'signing_secret',
	'signingSecret',
	'webhook_signing_secret',
	'shared_secret',
	'hmac_key',
	'hmacKey',
	'signing',
	'signature',
	'webhook-key',
	'api_key',
	'apiKey',
	'privateKey',
	'key',
	'Token',
	'access_token',
	'password',
	'passphrase',
	'credentials',
	'Authorization',
])('what is called %s is cut from a body and a text', (name) => {
	expect(redactNamed({ id: 's1', [name]: SECRET })).toEqual({ id: 's1', [name]: '[redacted]' });

	for (const text of [
		JSON.stringify({ id: 's1', [name]: SECRET }),
		JSON.stringify(JSON.stringify({ id: 's1', [name]: SECRET })),
		JSON.stringify({ [name]: SECRET }, null, 2),
		`{'${name}': '${SECRET}'}`,
		`Bad request: ${name}=${SECRET}&id=1`,
		`Bad request: ${name}="${SECRET}", id=1`,
		// As far as an error quotes it.
		`{"${name}":"${SECRET}`,
	]) {
		const redacted = redactNamedInText(text);

		expect(redacted).not.toContain(SECRET);
		expect(redacted).toContain(name);
		expect(redacted).toContain('[redacted]');
	}
});

test.each(['id', 'url', 'idempotency_key', 'keyword', 'monkey', 'sequence', 'payee_email'])(
	'what is called %s stays',
	(name) => {
		const body = { [name]: 'value-1' };

		expect(redactNamed(body)).toEqual(body);
		expect(redactNamedInText(JSON.stringify(body))).toBe(JSON.stringify(body));
		expect(redactNamedInText(`${name}=value-1`)).toBe(`${name}=value-1`);
	},
);

test('a secret is cut at any depth, whatever its value is', () => {
	const body = {
		data: [{ subscription: { id: 's1', signing: { algorithm: 'sha256', value: SECRET } } }],
		secret: 12345678,
		tokens: [SECRET],
		list: [1, null, true],
		hmac: null,
	};

	expect(redactNamed(body)).toEqual({
		data: [{ subscription: { id: 's1', signing: '[redacted]' } }],
		secret: '[redacted]',
		tokens: '[redacted]',
		list: [1, null, true],
		hmac: null,
	});
});

test('the value of a secret is cut wherever else it stands', () => {
	const body = { hmac: { keys: [SECRET] }, help: `Verify with ${SECRET}.`, [SECRET]: 1 };

	expect(redactNamed(body)).toEqual({
		hmac: '[redacted]',
		help: 'Verify with [redacted].',
		'[redacted]': 1,
	});
});

test('a value stays when the body calls nothing a secret', () => {
	expect(redactNamed({ help: `Verify with ${SECRET}.` })).toEqual({
		help: `Verify with ${SECRET}.`,
	});
	expect(redactNamed('text')).toBe('text');
	expect(redactNamed(undefined)).toBeUndefined();
});

test.each([
	'signing_secret: must have 20 characters',
	'The secret is too short.',
	'the client secret or the token "of somebody"',
	'',
])('ordinary words stay: %s', (text) => {
	expect(redactNamedInText(text)).toBe(text);
});

test('a secret with quotes and backslashes in it is cut as a whole', () => {
	const text = JSON.stringify({ secret: 'one"two\\three', id: 1 });

	expect(redactNamedInText(text)).toBe('{"secret":"[redacted]","id":1}');
});

test('everything that is cut from a text leaves the rest as it was', () => {
	expect(redactNamedInText('a {"secret":"s-1","id":"i-1","token":"t-1"} b')).toBe(
		'a {"secret":"[redacted]","id":"i-1","token":"[redacted]"} b',
	);
	expect(redactNamedInText('https://h.example/?token=t-1&id=i-1&key=k-1#x')).toBe(
		'https://h.example/?token=[redacted]&id=i-1&key=[redacted]#x',
	);
});

test('a body with too many named secrets is removed as a whole', () => {
	const tokens = Array.from({ length: 300_000 }, (_, index) => ({ token: `${SECRET}-${index}` }));
	const body = { tokens, help: `Verify with ${SECRET}-7.` };

	const redacted = redactNamed(body);

	expect(JSON.stringify(redacted)).not.toContain(SECRET);
	expect(redacted).toHaveProperty(['[redacted]'], '[redacted]');
});
