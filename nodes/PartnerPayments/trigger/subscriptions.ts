import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { Client } from '../api/client';
import { createWebhookSubscription, EVENT_KINDS, eventIdentifiers } from '../api/endpoints';
import { readCredentials } from '../api/auth/credentials';
import { reject, textOf } from '../shared/values';
import { readParameters, type TriggerParameters } from './fields';
import { signingSecret } from './signature';
import {
	decrypt,
	encrypt,
	newestSubscription,
	rememberSubscriptions,
	type Subscription,
} from './triggerData';

/*
 * The service can neither list nor delete subscriptions. So each workspace and address has one, which is
 * remembered and used again.
 */

/**
 * Whether the trigger's newest subscription covers all its events. A subscription whose secret cannot be
 * read does not count: its deliveries cannot be verified.
 *
 * @throws InputError when no signing secret is known
 */
export async function isSubscribed(n8n: IHookFunctions): Promise<boolean> {
	const parameters = await readParameters(n8n);
	const credentials = await readCredentials(n8n, parameters.authentication);
	const wanted = wantedBy(n8n, parameters, credentials);
	const { url, events = [], secret } = newestSubscription(n8n, wanted) ?? {};
	const isReadable =
		secret === undefined || decrypt(secret, clientSecretOf(credentials)) !== undefined;
	const isCovered = wanted.events.every((event) => events.includes(event));
	if (url !== wanted.url || !isCovered || !isReadable) return false;
	rememberSubscriptions(n8n);
	await requireSecret(n8n, parameters);
	return true;
}

/**
 * Subscribes the trigger's address to its events, and remembers it.
 *
 * @throws ServiceError when the service refuses
 * @throws InputError when no signing secret is known
 */
export async function subscribe(n8n: IHookFunctions): Promise<void> {
	const parameters = await readParameters(n8n);
	const credentials = await readCredentials(n8n, parameters.authentication);
	const wanted = wantedBy(n8n, parameters, credentials);
	// The secret of an earlier subscription no longer counts, so this one covers its events too.
	const { url, events = [] } = newestSubscription(n8n, wanted) ?? {};
	if (url === wanted.url)
		wanted.events = EVENT_KINDS.filter((kind) => [...wanted.events, ...events].includes(kind));
	const client = await Client.connect(n8n, parameters.authentication);
	const { urlKey, eventsKey, extraFields } = parameters.subscription;
	const { secret } = await createWebhookSubscription(client, wanted.workspaceId, {
		[urlKey]: wanted.url,
		[eventsKey]: eventIdentifiers(wanted.events),
		...extraFields,
	});
	rememberSubscriptions(n8n, {
		...wanted,
		madeAt: Date.now(),
		...(secret !== undefined && { secret: encrypt(secret, clientSecretOf(credentials)) }),
	});
	await requireSecret(n8n, parameters);
}

async function requireSecret(n8n: IHookFunctions, parameters: TriggerParameters): Promise<void> {
	const { secret } = await signingSecret(n8n, parameters);
	if (secret !== undefined) return;
	if (!parameters.acceptsUnsigned) {
		reject(
			'No signing secret is known, so events cannot be verified',
			'Enter "Webhook Signing Secret" in the credential. If the service signs nothing, set "Unsigned Events" to "Accept": anyone who knows the address of this trigger can then start the workflow.',
		);
	}
	n8n.logger.warn(
		`"${n8n.getNode().name}" starts its workflow for unverified events, since no signing secret is known`,
	);
}

const clientSecretOf = ({ clientSecret }: IDataObject): string => textOf(clientSecret);

const wantedBy = (
	n8n: IHookFunctions,
	{ workspaceId, kinds }: TriggerParameters,
	{ environment }: IDataObject,
): Subscription => ({
	environment: textOf(environment),
	workspaceId,
	url: n8n.getNodeWebhookUrl('default') ?? '',
	events: kinds,
});
