import {
	sleep,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { deduplicatorFor, eventDigest, EventDeduplicator } from './deduplicator';
import { parseEvents, type ServiceEvent } from './eventParsing';
import { readParameters, type TriggerParameters } from './parameters';
import { verify } from './signature';
import { storeSubscriptions } from './subscriptions';

/** An event is a few hundred bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Between two checks of whether another delivery has started an execution. */
const POLL_INTERVAL_MS = 20;
/** Levels of nested objects and lists; an event has four. */
const MAX_DEPTH = 100;

/**
 * Receives one delivery. It is checked in this order: size, signature, JSON, events in it, which of
 * them are wanted, which of those are new: what nobody wants is not remembered. Only then an execution
 * starts. What is unwanted or known is answered 200, so that it is not sent again.
 */
export async function receiveDelivery(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const parameters = readParameters(n8n);
	const body = rawBody(n8n);
	if (body.length > MAX_BODY_BYTES) return respond(n8n, 413, 'The body is too large');
	const verification = await verify(n8n, parameters, body);
	if (verification === 'rejected') return respond(n8n, 401, 'The signature is missing or wrong');
	const content = parseBody(body);
	if (content === undefined) return respond(n8n, 400, 'The body is not JSON, or too deep');
	const events = parseEvents(content, parameters.identifiers).filter((event) =>
		isWanted(event, parameters),
	);
	return await startExecution(n8n, parameters, events, verification === 'verified');
}

/**
 * Starts an execution for the events that no delivery has started one for. When another delivery is
 * about to, its outcome is waited for: an event is never answered 200 that nothing was started for.
 */
async function startExecution(
	n8n: IWebhookFunctions,
	parameters: TriggerParameters,
	events: ServiceEvent[],
	verified: boolean,
): Promise<IWebhookResponseData> {
	const data = n8n.getWorkflowStaticData('node');
	const deduplicator = deduplicatorOf(n8n);
	deduplicator.load(data.events);
	const received = new Map(events.map((event) => [eventDigest(event), event]));
	const isElsewhere = (): boolean =>
		[...received.keys()].some((digest) => deduplicator.isClaimed(digest));
	while (isElsewhere()) await sleep(POLL_INTERVAL_MS);
	const claimed = new Map([...received].filter(([digest]) => deduplicator.claim(digest)));
	if (claimed.size === 0) return respond(n8n, 200, 'Nothing new');

	const digests = [...claimed.keys()];
	const response = n8n.getResponseObject();
	// A connection that breaks says nothing about the execution, which may be starting all the same.
	response.once('finish', () => {
		if (response.statusCode >= 300) deduplicator.release(digests);
		else if (digests.some((digest) => deduplicator.isClaimed(digest)))
			deduplicator.confirm(digests);
	});
	const items = [...claimed.values()].map((event) => ({
		// What the body says of itself stands apart from what we say of it.
		json: parameters.simplify ? simplified(event, verified) : { body: event.raw, verified },
	}));
	const confirmAndRespond = () => {
		data.events = deduplicator.confirm(digests);
		storeSubscriptions(n8n);
		return { message: 'Received' };
	};
	return {
		workflowData: [items],
		// n8n reads this once the execution has started, and stores the static data before it answers:
		// an event is never kept that nothing was started for.
		get webhookResponse() {
			return confirmAndRespond();
		},
	};
}

/** Somebody who listens for a test event wants to see whatever comes, again and again. */
const deduplicatorOf = (n8n: IWebhookFunctions): EventDeduplicator =>
	n8n.getMode() === 'manual'
		? new EventDeduplicator()
		: deduplicatorFor(`${n8n.getWorkflow().id ?? ''} ${n8n.getNode().id}`);

function isWanted(
	{ kind, status, workspaceIds }: ServiceEvent,
	parameters: TriggerParameters,
): boolean {
	const { kinds, statuses } = parameters;
	return (
		kinds.includes(kind) &&
		(statuses.length === 0 || statuses.includes(status?.toLowerCase() ?? '')) &&
		workspaceIds.every((id) => id.trim().toLowerCase() === parameters.workspaceId)
	);
}

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

/** Answers in place of n8n, and starts nothing. */
function respond(n8n: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	n8n.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

function rawBody(n8n: IWebhookFunctions): Buffer {
	const { rawBody: body }: { rawBody?: unknown } = n8n.getRequestObject();
	return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** The JSON of a body; undefined when it is none, or nested so deeply that n8n could not store it. */
function parseBody(body: Buffer): unknown {
	try {
		const content: unknown = JSON.parse(body.toString('utf8'));
		return isTooDeep(content) ? undefined : content;
	} catch {
		return undefined;
	}
}

/** Goes through level by level, since recursion overflows the stack on such a body. */
function isTooDeep(content: unknown): boolean {
	let level = [content];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > MAX_DEPTH) return true;
		level = level.flatMap((value): unknown[] =>
			typeof value === 'object' && value !== null ? Object.values(value) : [],
		);
	}
	return false;
}
