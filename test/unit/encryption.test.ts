import fc from 'fast-check';

import { seal, unseal } from '../../nodes/PartnerPayments/trigger/encryption';

test('a sealed secret opens with the secret it was sealed under', () => {
	const text = fc.string({ unit: 'binary' });
	fc.assert(
		fc.property(text, text, (secret, clientSecret) => {
			// A lone half of a surrogate pair has no bytes of its own.
			fc.pre(Buffer.from(secret).toString() === secret);
			expect(unseal(seal(secret, clientSecret), clientSecret)).toBe(secret);
		}),
	);
});

test('a sealed secret shows nothing of itself, and is another text each time', () => {
	const sealed = [seal('whsec_1234567890', 'client'), seal('whsec_1234567890', 'client')];
	expect(new Set(sealed).size).toBe(2);
	for (const text of sealed) {
		expect(text).not.toContain('whsec');
		expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('whsec');
	}
});

test('a sealed secret does not open with another one', () => {
	const sealed = seal('whsec_1', 'client');
	for (const other of ['', 'clien', 'Client', 'client ']) {
		expect(unseal(sealed, other)).toBeUndefined();
	}
});

test('a sealed secret that was changed anywhere does not open', () => {
	const bytes = Buffer.from(seal('whsec_1', 'client'), 'base64');
	for (const at of bytes.keys()) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(unseal(changed.toString('base64'), 'client')).toBeUndefined();
	}
});

test('what is no sealed secret does not open, and is no error', () => {
	const bytes = Buffer.from(seal('whsec_1', 'client'), 'base64');
	for (let length = 0; length < bytes.length; length += 1) {
		expect(unseal(bytes.subarray(0, length).toString('base64'), 'client')).toBeUndefined();
	}
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(unseal(text, 'client')).toBeUndefined();
		}),
	);
});
