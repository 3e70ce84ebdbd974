import type { IDataObject } from 'n8n-workflow';

import { readCredentials } from '../service/auth/credentials';
import { textOf } from '../shared/values';
import { decrypt, encrypt } from './encryption';
import type { TriggerParameters } from './parameters';
import {
	rememberedSubscriptions,
	storeTriggerData,
	type Subscription,
	type TriggerFunctions,
} from './triggerData';

/** The secrets that this process has read, by client and encrypted form. */
const readBefore = new Map<string, string>();

/**
 * The secrets that may sign a delivery: the account's own and those of the workspace's subscriptions.
 * When the client has got another secret, this process goes on with those that it has read before, and
 * encrypts them anew.
 *
 * @returns none when deliveries are not signed as far as anybody has told; `isLost` when there is a
 *   secret that cannot be read, or nothing is known of any subscription
 */
export async function signingSecrets(
	n8n: TriggerFunctions,
	{ authentication, workspaceId }: TriggerParameters,
): Promise<{ secrets: string[]; isLost: boolean }> {
	const credentials = await readCredentials(n8n, authentication);
	const own = textOf(credentials.webhookSigningSecret);
	const subscriptions = rememberedSubscriptions(n8n).filter(
		(one) => one.workspaceId === workspaceId && one.environment === textOf(credentials.environment),
	);
	const encrypted = subscriptions.filter(({ secret }) => secret !== undefined);
	const readable = encrypted.flatMap((one) => readSecret(one, credentials) ?? []);
	const secrets = readable.length > 0 ? readable : encryptAnew(n8n, encrypted, credentials);
	return {
		secrets: own === '' ? secrets : [own, ...secrets],
		isLost:
			own === '' && secrets.length === 0 && (encrypted.length > 0 || subscriptions.length === 0),
	};
}

/** Encrypts the secret of a subscription, so that only its client can read it. */
export function withSecret(
	subscription: Subscription,
	secret: string | undefined,
	credentials: IDataObject,
): Subscription {
	if (secret === undefined) return subscription;
	const encrypted = encrypt(secret, textOf(credentials.clientSecret));
	readBefore.set(readKey(encrypted, credentials), secret);
	return { ...subscription, secret: encrypted };
}

/** The secret of a subscription; undefined when it has none, or the client has another secret now. */
export function readSecret({ secret }: Subscription, credentials: IDataObject): string | undefined {
	if (secret === undefined) return undefined;
	const decrypted = decrypt(secret, textOf(credentials.clientSecret));
	if (decrypted !== undefined) readBefore.set(readKey(secret, credentials), decrypted);
	return decrypted;
}

function encryptAnew(
	n8n: TriggerFunctions,
	subscriptions: Subscription[],
	credentials: IDataObject,
): string[] {
	const known = subscriptions.flatMap((subscription) => {
		const secret = readBefore.get(readKey(subscription.secret, credentials));
		return secret === undefined ? [] : [{ subscription, secret }];
	});
	const made = known.map(({ subscription, secret }) =>
		withSecret(subscription, secret, credentials),
	);
	if (made.length > 0) storeTriggerData(n8n, ...made);
	return known.map(({ secret }) => secret);
}

const readKey = (encrypted: string | undefined, { clientId }: IDataObject): string =>
	JSON.stringify([clientId, encrypted]);
