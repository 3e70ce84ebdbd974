import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { signingSecretIn } from '../../../nodes/PartnerPayments/api/responseReaders';
import { anyBody, NESTED_DEEPLY } from '../bodies';

const SECRET = 'whsec_7f3a90b1c2d4e5f607';

describe('the signing secret is found #signing-secret-found', () => {
	test.each<[answer: unknown]>([
		[{ webhook_subscription: { id: '1', secret: SECRET } }],
		[{ data: { subscription: { signing_secret: SECRET } } }],
		[{ subscription: { id: '1', secret: SECRET } }],
		[{ subscription: { id: '1' }, secret: SECRET }],
		[{ id: '1', webhook_signing_secret: SECRET }],
		[{ secret: { value: SECRET } }],
		[{ signing: { algorithm: 'HMAC-SHA256', key: SECRET } }],
		[{ result: { hmac: { key: SECRET } } }],
		[{ secrets: [SECRET] }],
		[{ secrets: [{ id: '1', value: SECRET }] }],
		[[{ subscriptions: [{ id: '1', secret: SECRET }] }]],
		[{ a: { b: { c: { d: { e: { f: { g: { h: { i: { j: { secret: SECRET } } } } } } } } } } }],
		[{ nested: { secret: 'whsec_of_something_else' }, secret: SECRET }],
		[{ client_secret: 'of-the-client', api_secret: 'of-the-api', secret: SECRET }],
		[{ secret: '', signing_secret: SECRET }],
		[{ secret: null, signing: { secret: SECRET } }],
	])('in %j', (answer) => {
		expect(signingSecretIn(answer)).toBe(SECRET);
	});

	test.each([
		'shared_secret',
		'hmac_key',
		'signingSecret',
		'webhookSecret',
		'signing-key',
		'webhook_key',
		'SHARED_KEY',
		'signature_key',
		'secret_key',
	])('under the name %s', (name) => {
		expect(signingSecretIn({ [name]: SECRET })).toBe(SECRET);
	});
});

test.each(['base64url', 'base64', 'hex'] as const)('any random secret in %s is one', (encoding) => {
	for (let index = 0; index < 20_000; index++) {
		const secret = createHash('sha256').update(`${index}`).digest(encoding).slice(0, 32);

		expect(signingSecretIn({ secret })).toBe(secret);
	}
});

test.each<[what: string, answer: unknown]>([
	['a property that is merely called key', { webhook_subscription: { id: '1', key: SECRET } }],
	['a key of a webhook that is not called one', { webhook: { key: SECRET } }],
	['the secret of the client', { client_secret: SECRET, clientSecret: SECRET }],
	['a public key', { signing_public_key: SECRET }],
	['a key of the API', { api_key: SECRET, access_key: SECRET, shared_access_key: SECRET }],
	[
		'what is said about a secret',
		{ secret_id: SECRET, secret_hint: SECRET, signing_key_id: SECRET },
	],
	[
		'how deliveries are signed',
		{ signing_algorithm: 'HMAC-SHA256', hmac: 'HMAC-SHA256', signing: { header: 'X-Signature' } },
	],
	[
		'a masked secret',
		{ secret: 'whsec_********************', signing_secret: '••••••••••••••••••••' },
	],
	[
		'a hidden secret',
		{ secret: '[REDACTED_BY_THE_SERVICE]', signing_secret: '<hidden_by_the_service>' },
	],
	[
		'a shortened secret',
		{ secret: 'whsec_7f3a90b1c2d4e5f607…', signing_secret: 'whsec_7f3a90b1c2...d4e5f607' },
	],
	['a word in its place', { secret: 'REDACTED', signing_secret: 'whsec_redacted' }],
	[
		'one letter again and again',
		{ secret: 'x'.repeat(32), signing_secret: `whsec_${'0'.repeat(32)}` },
	],
	['what is too long to be one', { secret: SECRET.repeat(60) }],
	['what is too short to be one', { secret: 'whsec_7f3a90b1c2d4e' }],
	[
		'the name of a header',
		{ secret: 'X-Partner-Payments-Signature-2', signing_secret: 'Partner-Payments-Signature' },
	],
	[
		'an algorithm',
		{ secret: 'HMAC-SHA256-of-the-raw-body', signing_secret: 'sha256-of-the-secret-and-body' },
	],
	['where to look it up', { secret: 'see-the-dashboard-of-the-service' }],
	['a text that anybody guesses', { secret: 'none', signing_secret: 'true' }],
	['a flag', { signing_secret: true, secret: 12345678 }],
	['a sentence', { secret: 'is sent by mail to the owner' }],
	['nothing', {}],
	['a text', SECRET],
	['null', null],
	['no body', undefined],
])('%s is no signing secret', (_, answer) => {
	expect(signingSecretIn(answer)).toBeUndefined();
});

test.each([
	'see_dashboard_for_the_secret',
	'your_256_bit_secret_here',
	'not.shown.again.for.security',
	'https://dashboard.example.com/webhooks',
	'2026-03-01T09:00:00.000Z',
	'00000000-0000-0000-0000-000000000000',
])('%s in the place of a secret is none', (secret) => {
	expect(signingSecretIn({ secret })).toBeUndefined();
});

test('no answer is too deep to be read', () => {
	for (const answer of NESTED_DEEPLY) {
		expect(signingSecretIn(answer)).toBeUndefined();
	}
});

test('whatever the answer is, a signing secret is a text of it', () => {
	const key = fc.constantFrom('secret', 'signing', 'hmac', 'key', 'value', 'data');
	const values = [fc.stringMatching(/^[\w ]{18,30}$/), fc.string(), fc.integer()];
	const answer = fc.anything({ key, values, maxDepth: 4 });
	fc.assert(
		fc.property(fc.oneof(anyBody, answer), (body) => {
			const found = signingSecretIn(body);
			if (found === undefined) {
				return;
			}

			expect(found).not.toBe('');
			expect(JSON.stringify(body)).toContain(found);
		}),
		{ numRuns: 1000 },
	);
});
