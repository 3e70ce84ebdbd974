import type { IWebhookFunctions } from 'n8n-workflow';

import { readCredentials } from '../service/auth/credentials';
import type { TriggerParameters } from './parameters';
import { subscribe } from './subscriptions';
import { isTest, triggerKey } from './triggerData';

const LOST =
	'the signing secret of its subscription cannot be read any more, as after a change of the client secret.';
const UNKNOWN =
	'no signing secret is known. Enter it in the credential, or let the option Unsigned Events accept them.';

/** What this process has dealt with, by trigger and client. */
const handled = new Set<string>();

/**
 * Says in n8n's log why a trigger refuses every delivery, and subscribes anew where that helps. Once for
 * each secret of the client: anybody who knows the address can send deliveries.
 *
 * @param isLost whether there was a signing secret, which cannot be read any more
 */
export async function handleMissingSecret(
	n8n: IWebhookFunctions,
	parameters: TriggerParameters,
	isLost: boolean,
): Promise<void> {
	const { clientId, clientSecret } = await readCredentials(n8n, parameters.authentication);
	const key = JSON.stringify([triggerKey(n8n), isLost, clientId, clientSecret]);
	if (handled.has(key)) return;
	handled.add(key);
	const name = JSON.stringify(n8n.getNode().name);
	const reason = isLost ? `${LOST} ${await subscribeAnew(n8n)}` : UNKNOWN;
	n8n.logger.warn(`${name} refuses deliveries with 401, since ${reason}`);
}

/** Returns what came of it, as a sentence. */
async function subscribeAnew(n8n: IWebhookFunctions): Promise<string> {
	if (isTest(n8n)) return 'Listen for a test event again.';
	try {
		await subscribe(n8n);
		return 'It has subscribed anew, and accepts what that subscription delivers.';
	} catch (error) {
		const message = JSON.stringify(error instanceof Error ? error.message : error);
		return `It could not subscribe anew by itself, so publish the workflow again: ${message}`;
	}
}
