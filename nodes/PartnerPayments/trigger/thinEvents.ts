import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import { Client } from '../service/api/client';
import { getPartner } from '../service/api/partners';
import { identifier } from '../service/api/responseReaders';
import type { ServiceEvent } from './eventParsing';
import type { TriggerParameters } from './parameters';

/** For how long a partner is asked for. The service waits for an answer to its delivery. */
const TIMEOUT_MS = 8_000;

/** Whether an event says so little that its partner has to be asked for. */
const isThin = ({ subject, status }: ServiceEvent): boolean =>
	subject === 'partner' && status === undefined;

/**
 * Completes events that say nothing of their partner but its ID, with the record that the service has of
 * it. A payable cannot be asked for: what is known of it stands in the event, or follows from it.
 *
 * @throws when the service does not tell it in time, or has no such partner in the workspace
 */
export async function completeEvents(
	n8n: IWebhookFunctions,
	parameters: TriggerParameters,
	events: ServiceEvent[],
): Promise<ServiceEvent[]> {
	// Events that are handed on as they are need no more than their status, to be chosen by it.
	const isNeeded = parameters.simplify || parameters.statuses.length > 0;
	if (!isNeeded || !events.some(isThin)) return events;
	const deadline = new AbortController();
	const timeout = sleep(TIMEOUT_MS).then(() => {
		deadline.abort();
		throw new Error('The service did not answer in time');
	});
	return await Promise.race([complete(n8n, parameters, events, deadline.signal), timeout]);
}

async function complete(
	n8n: IWebhookFunctions,
	{ authentication, workspaceId }: TriggerParameters,
	events: ServiceEvent[],
	signal: AbortSignal,
): Promise<ServiceEvent[]> {
	const client = await Client.connect(n8n, authentication, signal);
	return await Promise.all(
		events.map(async (event) => {
			if (!isThin(event)) return event;
			const id = String(event.objectId);
			const object = await getPartner(client, workspaceId, id);
			const { status } = object;
			if (typeof status !== 'string' || (identifier(object) ?? id) !== id)
				throw new Error('The service told another partner');
			return { ...event, object, status };
		}),
	);
}
