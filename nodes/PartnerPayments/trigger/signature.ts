import { createHmac, timingSafeEqual } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { Batcher } from '../shared/batcher';
import { stringOrEmpty } from '../shared/typeGuards';
import type { TriggerParameters } from './fields';
import { decrypt, newestSubscription, triggerKey, type TriggerFunctions } from './triggerData';

/** No signature is nearly as long. */
const MAX_LENGTH = 256;

/**
 * How long a secret that has verified a delivery is cached, since n8n reads credentials slowly. A replaced
 * secret counts that much longer. A new one counts at once.
 */
const CACHE_MS = 10_000;

const cache = new Map<string, { secret: string; until: number }>();

/** Secrets that are being read, by trigger: deliveries that come meanwhile wait for one more reading, all together. */
const readers = new Map<string, Batcher<undefined, SigningSecret>>();

/** The triggers that have logged why they refuse deliveries. */
const warned = new Set<string>();

/** Checks the signature of a delivery; `unsigned` when no signing secret is known and the user accepts that. */
export async function verify(
	n8n: IWebhookFunctions,
	parameters: TriggerParameters,
	body: Buffer,
): Promise<'verified' | 'unsigned' | 'rejected'> {
	const signature = [n8n.getHeaderData()[parameters.signatureHeader]].flat()[0];

	const { id, credentials } = n8n.getNode();
	const { credentialType, workspaceId } = parameters;
	const trigger = [n8n.getMode(), n8n.getWorkflow().id, id, credentialType, workspaceId];
	const key = JSON.stringify([...trigger, credentials]);
	const cached = cache.get(key);
	if (
		cached !== undefined &&
		Date.now() < cached.until &&
		isSigned(body, signature, cached.secret)
	) {
		return 'verified';
	}

	const reader = readers.get(key) ?? new Batcher<undefined, SigningSecret>();
	readers.set(key, reader);
	const { secret, isLost } = await reader.run(
		undefined,
		async () => await signingSecret(n8n, parameters),
	);
	if (secret === undefined) {
		if (!isLost && parameters.acceptsUnsigned) {
			return 'unsigned';
		}
		warnOnce(n8n);
		return 'rejected';
	}
	if (!isSigned(body, signature, secret)) {
		return 'rejected';
	}

	cache.set(key, { secret, until: Date.now() + CACHE_MS });
	return 'verified';
}

interface SigningSecret {
	secret: string | undefined;
	/** Whether it cannot be read, or no subscription is known. */
	isLost: boolean;
}

/** The one secret that signs deliveries: the credential's, else that of the newest subscription. */
export async function signingSecret(
	n8n: TriggerFunctions,
	{ credentialType, workspaceId }: TriggerParameters,
): Promise<SigningSecret> {
	const credentials = await n8n.getCredentials<IDataObject>(credentialType);
	const own = stringOrEmpty(credentials.webhookSigningSecret);
	// A blank one could be guessed.
	if (own.trim() !== '') {
		return { secret: own, isLost: false };
	}

	const newest = newestSubscription(n8n, { workspaceId, environment: credentials.environment });
	if (newest === undefined) {
		return { secret: undefined, isLost: true };
	}

	const secret = newest.secret && decrypt(newest.secret, stringOrEmpty(credentials.clientSecret));
	return { secret, isLost: newest.secret !== undefined && secret === undefined };
}

/** Logs it once, since anyone can send deliveries. */
function warnOnce(n8n: IWebhookFunctions): void {
	if (warned.has(triggerKey(n8n))) {
		return;
	}
	warned.add(triggerKey(n8n));
	n8n.logger.warn(
		`"${n8n.getNode().name}" refuses deliveries with 401: no signing secret is known, or the client secret has changed. Publish the workflow again, or enter the signing secret in the credential.`,
	);
}

/**
 * Whether a signature is the HMAC-SHA256 of the raw body, as hex or base64, with or without `sha256=`.
 * Takes the same time for any signature.
 */
export function isSigned(body: Buffer, signature: string | undefined, secret: string): boolean {
	if (signature === undefined || signature.length > MAX_LENGTH) {
		return false;
	}
	const value = signature.trim().replace(/^sha256=/i, '');
	const given = /^[0-9a-f]{64}$/i.test(value)
		? Buffer.from(value, 'hex')
		: Buffer.from(value, 'base64');
	const expected = createHmac('sha256', secret).update(body).digest();
	return given.length === expected.length && timingSafeEqual(given, expected);
}
