import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../contract/service';
import { path } from './address';
import { record } from './openShapes';
import type { Service } from './service';

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

/**
 * Subscribes an address to events of a workspace. The service has no way to unsubscribe it.
 *
 * @param workspaceId UUID
 * @param url where the events go
 * @param more fields beside the address and the events
 */
export async function createWebhookSubscription(
	service: Service,
	workspaceId: string,
	url: string,
	events: EventKind[],
	more: IDataObject,
): Promise<IDataObject> {
	const answer = await service.send({
		method: 'POST',
		path: path('/workspace/{id}/webhook-subscription', { id: workspaceId }),
		task: 'create the webhook subscription',
		effect: 'creates',
		body: { url, events: events.map((event) => EVENT_IDENTIFIERS[event]), ...more },
	});
	return record(answer.body, 'webhook_subscription');
}
