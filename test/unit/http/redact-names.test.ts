import { redactNamed, redactNamedInText } from '../../../nodes/PartnerPayments/service/http/redact';

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
	const body = {
		hmac: { keys: [SECRET] },
		help: `Verify with ${SECRET}.`,
		[SECRET]: 1,
	};
	expect(redactNamed(body)).toEqual({
		hmac: '[redacted]',
		help: 'Verify with [redacted].',
		'[redacted]': 1,
	});
});

test('nothing is known of the values of a secret that a body does not have', () => {
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

/** An object in an object in an object, so deep that recursion would overflow the stack. */
const nested = (levels: number, innermost: object): object =>
	Array.from({ length: levels }).reduce<object>((inner) => ({ inner }), innermost);

test('a body that is nested without end is cut, and its secrets with it', () => {
	const text = JSON.stringify(redactNamed(nested(20_000, { secret: SECRET })));
	expect(text).toContain('[too deep]');
	expect(text).not.toContain(SECRET);
});

test('of a body that calls almost everything a secret nothing is left, at once', () => {
	const tokens = Array.from({ length: 300_000 }, (_, index) => ({ token: `${SECRET}-${index}` }));
	const body = { tokens, help: `Verify with ${SECRET}-7.` };
	expect(JSON.stringify(redactNamed(body))).not.toContain(SECRET);
});
