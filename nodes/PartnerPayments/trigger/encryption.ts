import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key under which a client's secrets are sealed. */
const keyOf = (clientSecret: string): Buffer =>
	Buffer.from(hkdfSync('sha256', clientSecret, '', 'webhook signing secret', 32));

/** Seals a secret under the client's own, so that what n8n stores of it tells nobody anything. */
export function seal(secret: string, clientSecret: string): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(clientSecret), nonce);
	const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Opens a sealed secret; undefined when the client's secret is another one now, or it is damaged. */
export function unseal(sealed: string, clientSecret: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64');
	if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
	const nonce = bytes.subarray(0, NONCE_BYTES);
	const decipher = createDecipheriv(CIPHER, keyOf(clientSecret), nonce, {
		authTagLength: TAG_BYTES,
	});
	decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
	try {
		const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([opened, decipher.final()]).toString('utf8');
	} catch {
		return undefined;
	}
}
