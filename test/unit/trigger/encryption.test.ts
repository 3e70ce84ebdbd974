import fc from 'fast-check';

import { decrypt, encrypt } from '../../../nodes/PartnerPayments/trigger/triggerData';

test('an encrypted secret shows nothing of itself, and is another text each time', () => {
	const encrypted = [encrypt('whsec_1234567890', 'client'), encrypt('whsec_1234567890', 'client')];
	expect(new Set(encrypted).size).toBe(2);
	for (const text of encrypted) {
		expect(text).not.toContain('whsec');
		expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('whsec');
	}
});

test('an encrypted secret that was changed anywhere is not decrypted', () => {
	const bytes = Buffer.from(encrypt('whsec_1', 'client'), 'base64');
	for (const at of bytes.keys()) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(decrypt(changed.toString('base64'), 'client')).toBeUndefined();
	}
});

test('what is no encrypted secret is not decrypted, and is no error', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(decrypt(text, 'client')).toBeUndefined();
		}),
	);
});
