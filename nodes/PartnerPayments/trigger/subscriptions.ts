import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { Client } from '../api/client';
import { createWebhookSubscription, EVENT_KINDS, eventIdentifiers } from '../api/endpoints';
import { throwInputError } from '../shared/errors';
import { stringOrEmpty } from '../shared/typeGuards';
import { readParameters, type TriggerParameters } from './fields';
import { signingSecret } from './signature';
import { decrypt, encrypt, newestSubscription, rememberSubscriptions } from './triggerData';

/**
 * Subscribes the trigger's address to its events. The service can neither list nor delete subscriptions. So
 * each workspace and address has one, which is remembered, and used again unless it lacks an event, or its
 * secret cannot be read: its deliveries could not be verified.
 *
 * @throws ServiceError when the service refuses
 * @throws InputError when no signing secret is known
 */
export async function subscribe(n8n: IHookFunctions): Promise<void> {
	const parameters = await readParameters(n8n);
	const { credentialType, workspaceId, kinds, subscription } = parameters;
	const credentials = await n8n.getCredentials<IDataObject>(credentialType);
	const environment = stringOrEmpty(credentials.environment);
	const clientSecret = stringOrEmpty(credentials.clientSecret);
	const url = n8n.getNodeWebhookUrl('default') ?? '';

	const newest = newestSubscription(n8n, { environment, workspaceId });
	const { events: subscribed = [], secret: stored } = newest?.url === url ? newest : {};
	const isReadable = stored === undefined || decrypt(stored, clientSecret) !== undefined;
	if (isReadable && kinds.every((kind) => subscribed.includes(kind))) {
		rememberSubscriptions(n8n);
	} else {
		// The secret of an earlier subscription no longer counts, so this one covers its events too.
		const events = EVENT_KINDS.filter((kind) => [...kinds, ...subscribed].includes(kind));
		const { urlKey, eventsKey, extraFields } = subscription;
		const client = await Client.connect(n8n, credentialType);
		const { secret } = await createWebhookSubscription(client, workspaceId, {
			[urlKey]: url,
			[eventsKey]: eventIdentifiers(events),
			...extraFields,
		});
		rememberSubscriptions(n8n, {
			environment,
			workspaceId,
			url,
			events,
			madeAt: Date.now(),
			...(secret !== undefined && { secret: encrypt(secret, clientSecret) }),
		});
	}
	await requireSecret(n8n, parameters);
}

async function requireSecret(n8n: IHookFunctions, parameters: TriggerParameters): Promise<void> {
	const { secret } = await signingSecret(n8n, parameters);
	if (secret !== undefined) {
		return;
	}
	if (!parameters.acceptsUnsigned) {
		throwInputError(
			'No signing secret is known, so events cannot be verified',
			'Enter "Webhook Signing Secret" in the credential. If the service signs nothing, set "Unsigned Events" to "Accept": anyone who knows the address of this trigger can then start the workflow.',
		);
	}
	n8n.logger.warn(
		`"${n8n.getNode().name}" starts its workflow for unverified events, since no signing secret is known`,
	);
}
