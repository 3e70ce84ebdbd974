import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { isRecord } from '../../shared/json';
import { redactNamed } from '../http/redact';
import type { ServiceRequest } from '../http/request';
import type { Client } from './client';
import { requestOf } from './requests';
import { anyRecord } from './responseReaders';
import { signingSecret } from './signingSecret';

const EVENT_IDENTIFIERS = {
	partnerStatusChanged: 'partner.status_changed',
	payableApproved: 'payable.approved',
	payablePaid: 'payable.paid',
	payableStatusChanged: 'payable.status_changed',
} as const satisfies Record<string, components['schemas']['EventType']>;

/** The kinds of events, under the names that workflows store. */
export type EventKind = keyof typeof EVENT_IDENTIFIERS;

/** All kinds, in the order of the editor's lists. */
export const EVENT_KINDS: EventKind[] = [
	'partnerStatusChanged',
	'payableApproved',
	'payablePaid',
	'payableStatusChanged',
];

/** What the service calls the events when subscribing to them. */
export const eventIdentifiers = (events: EventKind[]): string[] =>
	events.map((event) => EVENT_IDENTIFIERS[event]);

/**
 * Subscribes an address to events of a workspace. The service has no way to unsubscribe it.
 *
 * @param body the address, the events, and what else the service wants to know
 */
export const createWebhookSubscription = async (
	client: Client,
	workspaceId: string,
	body: IDataObject,
): Promise<IDataObject> =>
	await client.send(subscriptionRequest(workspaceId, body), anyRecord('webhook_subscription'));

/**
 * Subscribes an address as `createWebhookSubscription` does.
 *
 * @returns the secret that signs the deliveries, where the service tells it
 */
export async function subscribeForSecret(
	client: Client,
	workspaceId: string,
	body: IDataObject,
): Promise<string | undefined> {
	const { secret } = await client.send(subscriptionRequest(workspaceId, body), {
		expected: 'a webhook_subscription',
		read: (answer) => ({ secret: signingSecret(answer) }),
	});
	return secret;
}

/** A subscription without the secret that signs its deliveries, wherever that stands. */
export function withoutSecret(subscription: IDataObject): IDataObject {
	const redacted = redactNamed(subscription);
	return isRecord(redacted) ? redacted : {};
}

const subscriptionRequest = (workspaceId: string, body: IDataObject): ServiceRequest =>
	requestOf(
		'nonIdempotent',
		'create the webhook subscription',
		'/workspace/{id}/webhook-subscription',
		{ id: workspaceId },
		body,
	);
