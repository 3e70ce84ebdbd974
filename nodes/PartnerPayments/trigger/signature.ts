import { createHmac, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { handleMissingSecret } from './missingSecret';
import type { TriggerParameters } from './parameters';
import { signingSecrets } from './signingSecrets';

/** Characters of a header value that is checked; a signature is far shorter. */
const MAX_LENGTH = 256;

/**
 * For how long secrets are cached that have verified a delivery, since n8n takes long to read a
 * credential. A secret that was revoked counts that much longer; a new one counts at once.
 */
const CACHE_MS = 10_000;

const cache = new Map<string, { secrets: string[]; until: number }>();

/**
 * Whether a delivery is signed as it has to be; `unsigned` where no signing secret is known, and the
 * user accepts that.
 *
 * @param body the bytes as they came in
 */
export async function verify(
	n8n: IWebhookFunctions,
	parameters: TriggerParameters,
	body: Buffer,
): Promise<'verified' | 'unsigned' | 'rejected'> {
	const signature = [n8n.getHeaderData()[parameters.signatureHeader]].flat()[0];
	const { id, credentials } = n8n.getNode();
	const { authentication, workspaceId } = parameters;
	const trigger = [n8n.getMode(), n8n.getWorkflow().id, id, authentication, workspaceId];
	const key = JSON.stringify([...trigger, credentials]);
	const cached = cache.get(key);
	if (
		cached !== undefined &&
		Date.now() < cached.until &&
		isSigned(body, signature, cached.secrets)
	) {
		return 'verified';
	}
	const { secrets, isLost } = await signingSecrets(n8n, parameters);
	if (isLost || (secrets.length === 0 && !parameters.acceptsUnsigned)) {
		await handleMissingSecret(n8n, parameters, isLost);
		return 'rejected';
	}
	if (secrets.length === 0) return 'unsigned';
	if (!isSigned(body, signature, secrets)) return 'rejected';
	cache.set(key, { secrets, until: Date.now() + CACHE_MS });
	return 'verified';
}

/**
 * Whether a delivery was signed with one of the secrets: HMAC-SHA256 of the raw body, as hex or
 * base64, with or without `sha256=` before it. Takes the same time whatever the signature is.
 *
 * @param body the bytes as they came in
 * @param signature the value of the signature header; undefined when there was none
 * @param secrets every secret that may have been used
 */
export function isSigned(body: Buffer, signature: string | undefined, secrets: string[]): boolean {
	if (signature === undefined || signature.length > MAX_LENGTH) return false;
	const value = signature.trim().replace(/^sha256=/i, '');
	const given = /^[0-9a-f]{64}$/i.test(value)
		? Buffer.from(value, 'hex')
		: Buffer.from(value, 'base64');
	return secrets.some((secret) => {
		const expected = createHmac('sha256', secret).update(body).digest();
		return given.length === expected.length && timingSafeEqual(given, expected);
	});
}
