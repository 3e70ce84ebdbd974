import { createHmac, timingSafeEqual } from 'crypto';

/** Longest header value that is looked at; a signature is far shorter. */
const LONGEST = 256;

/**
 * Whether a delivery was signed with one of the secrets: HMAC-SHA256 of the raw body, as hex or
 * base64, with or without `sha256=` before it. Takes the same time whatever the signature is.
 *
 * @param body the bytes as they came in
 * @param signature the value of the signature header; undefined when there was none
 * @param secrets every secret that may have been used
 */
export function isSigned(body: Buffer, signature: string | undefined, secrets: string[]): boolean {
	if (signature === undefined || signature.length > LONGEST) return false;
	const value = signature.trim().replace(/^sha256=/i, '');
	const given = /^[0-9a-f]{64}$/i.test(value)
		? Buffer.from(value, 'hex')
		: Buffer.from(value, 'base64');
	return secrets.some((secret) => {
		const expected = createHmac('sha256', secret).update(body).digest();
		return given.length === expected.length && timingSafeEqual(given, expected);
	});
}
