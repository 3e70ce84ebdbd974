import type { IDataObject } from 'n8n-workflow';

import { eventDigest } from './deduplicator';
import type { EventItem } from './eventClaims';
import type { ServiceEvent } from './eventParsing';
import type { TriggerParameters } from './parameters';

/**
 * The item that an event comes out as. What the service says, and whoever forges it, stands in objects
 * of its own: `verified` is always our word.
 */
export const toItem = (
	event: ServiceEvent,
	{ simplify }: TriggerParameters,
	verified: boolean,
): EventItem => ({
	eventDigest: eventDigest(event),
	json: simplify ? simplified(event, verified) : { body: event.raw, verified },
});

const simplified = (event: ServiceEvent, verified: boolean): IDataObject => ({
	event: event.kind,
	event_type: event.type ?? null,
	event_id: event.id ?? null,
	occurred_at: event.occurredAt ?? null,
	workspace_id: event.workspaceIds[0] ?? null,
	[`${event.subject}_id`]: event.objectId,
	status: event.status ?? null,
	[event.subject]: event.object,
	verified,
});
