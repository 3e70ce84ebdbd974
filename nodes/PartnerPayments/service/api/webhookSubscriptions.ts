import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { isRecord } from '../../shared/json';
import { redactNamed } from '../http/redact';
import { requestOf, type Client } from './client';
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
 * @returns also the secret that signs the deliveries, where the service tells it
 */
export async function createWebhookSubscription(
	client: Client,
	workspaceId: string,
	body: IDataObject,
): Promise<{ subscription: IDataObject; secret: string | undefined }> {
	const task = 'create the webhook subscription';
	const template = '/workspace/{id}/webhook-subscription';
	const request = requestOf('nonIdempotent', task, template, { id: workspaceId }, body);
	const { expected, read } = anyRecord('webhook_subscription');
	return await client.send(request, {
		expected,
		read: (answer) => {
			const subscription = read(answer);
			return subscription && { subscription, secret: signingSecret(answer) };
		},
	});
}

/** A subscription without the secret that signs its deliveries, wherever that stands. */
export function withoutSecret(subscription: IDataObject): IDataObject {
	const redacted = redactNamed(subscription);
	return isRecord(redacted) ? redacted : {};
}
