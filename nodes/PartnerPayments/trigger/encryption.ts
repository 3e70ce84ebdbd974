import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key that a client's secrets are encrypted with. */
const keyOf = (clientSecret: string): Buffer =>
	Buffer.from(hkdfSync('sha256', clientSecret, '', 'webhook signing secret', 32));

/** Encrypts a secret with a key derived from the client's own, so that n8n stores nothing in clear. */
export function encrypt(secret: string, clientSecret: string): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(clientSecret), nonce);
	const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** Decrypts a secret; undefined when the client's secret is another one now, or it is damaged. */
export function decrypt(encrypted: string, clientSecret: string): string | undefined {
	const bytes = Buffer.from(encrypted, 'base64');
	if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
	const nonce = bytes.subarray(0, NONCE_BYTES);
	const decipher = createDecipheriv(CIPHER, keyOf(clientSecret), nonce, {
		authTagLength: TAG_BYTES,
	});
	decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
	try {
		const decrypted = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([decrypted, decipher.final()]).toString('utf8');
	} catch {
		return undefined;
	}
}
