import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { isRecord } from '../../shared/json';
import { redactNamed } from '../http/redact';
import type { Client } from './client';
import { requestOf } from './requests';
import { anyRecord } from './responseReaders';

const EVENT_IDENTIFIERS = {
	partnerStatusChanged: 'partner.status_changed',
	payableApproved: 'payable.approved',
	payablePaid: 'payable.paid',
	payableStatusChanged: 'payable.status_changed',
} as const satisfies Record<string, components['schemas']['EventType']>;

/** The kinds of events, under the names that workflows store. */
export type EventKind = keyof typeof EVENT_IDENTIFIERS;

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
export async function createWebhookSubscription(
	client: Client,
	workspaceId: string,
	body: IDataObject,
): Promise<IDataObject> {
	const task = 'create the webhook subscription';
	const template = '/workspace/{id}/webhook-subscription';
	return await client.send(
		requestOf('nonIdempotent', task, template, { id: workspaceId }, body),
		anyRecord('webhook_subscription'),
	);
}

/** A subscription without the secret that signs its deliveries, wherever that stands. */
export function withoutSecret(subscription: IDataObject): IDataObject {
	const redacted = redactNamed(subscription);
	return isRecord(redacted) ? redacted : {};
}
