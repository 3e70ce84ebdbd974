import {
	sleep,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { Client } from '../api/client';
import { getPartner } from '../api/endpoints';
import { identifier } from '../api/responseReaders';
import { eventDigest, MAX_EVENTS, type EventDeduplicator } from './deduplicator';
import type { ItemToClaim } from './eventClaims';
import { countEvents, parseEvents, type ServiceEvent } from './eventParsing';
import { readParameters, type TriggerParameters } from './fields';
import type { PaidPayable } from './ledgerUpdate';
import { verify } from './signature';
import { deduplicatorOf, storeTriggerData } from './triggerData';

/** An event is a few hundred bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Between two checks of whether another delivery has started an execution. */
const POLL_INTERVAL_MS = 20;
/** For how long a partner is asked for. The service waits for an answer to its delivery. */
const TIMEOUT_MS = 8_000;
/** Levels of nested objects and lists; an event has four. */
const MAX_DEPTH = 100;

/**
 * Receives one delivery. It is checked in this order: size, signature, JSON, number of events, which of
 * them are wanted, which of those are new: what nobody wants is not remembered. Only then an execution
 * starts. What is unwanted or known is answered 200, so that it is not sent again.
 *
 * @throws when the trigger cannot check deliveries: n8n shows that as an execution that failed
 */
export async function receiveDelivery(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const checked = checkDelivery(n8n);
	return await (continuesOnError(n8n)
		? checked.catch(() => respond(n8n, 500, 'The delivery cannot be checked'))
		: checked);
}

/** Whether n8n would take an error for an empty item, and start the workflow with it. */
function continuesOnError(n8n: IWebhookFunctions): boolean {
	const { continueOnFail, onError = 'stopWorkflow' } = n8n.getNode();
	return continueOnFail === true || onError !== 'stopWorkflow';
}

async function checkDelivery(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const parameters = readParameters(n8n);
	const body = rawBody(n8n);
	if (body.length > MAX_BODY_BYTES) return respond(n8n, 413, 'The body is too large');
	const verification = await verify(n8n, parameters, body);
	if (verification === 'rejected') return respond(n8n, 401, 'The signature is missing or wrong');
	const content = parseBody(body);
	if (content === undefined) return respond(n8n, 400, 'The body is not JSON, or too deep');
	if (countEvents(content) > MAX_EVENTS) return respond(n8n, 413, 'The body has too many events');
	const events = parseEvents(content, parameters.identifiers).filter(
		(event) =>
			isWanted(event, parameters) &&
			hasWantedStatus(event, parameters) &&
			isRecent(event, parameters),
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
	const deduplicator = deduplicatorOf(n8n);
	const claimed = await claimNew(deduplicator, events);
	const completed = await completeEvents(n8n, parameters, claimed).catch((error: unknown) => {
		const reason = JSON.stringify(error instanceof Error ? error.message : error);
		n8n.logger.warn(`An event was not taken, since its partner could not be read: ${reason}`);
		return undefined;
	});
	const wanted = (completed ?? []).filter((event) => hasWantedStatus(event, parameters));
	const digests = wanted.map(eventDigest);
	const started = new Set(digests);
	deduplicator.release(claimed.map(eventDigest).filter((digest) => !started.has(digest)));
	if (completed === undefined)
		return respond(n8n, 503, 'The partner of the event cannot be read now');
	if (wanted.length === 0) return respond(n8n, 200, 'Nothing new');

	const response = n8n.getResponseObject();
	// A connection that breaks says nothing about the execution, which may be starting all the same.
	response.once('finish', () => {
		if (response.statusCode >= 300) deduplicator.release(digests);
		else if (digests.some((digest) => deduplicator.isClaimed(digest)))
			deduplicator.confirm(digests);
	});
	const confirmAndRespond = () => {
		deduplicator.confirm(digests);
		storeTriggerData(n8n);
		return { message: 'Received' };
	};
	return {
		workflowData: [wanted.map((event) => toItem(event, parameters, verified))],
		// n8n reads this once the execution has started, and stores the static data before it answers:
		// an event is never kept that nothing was started for.
		get webhookResponse() {
			return confirmAndRespond();
		},
	};
}

/** Claims the events that are new, each once, after the deliveries that may start one of them. */
async function claimNew(
	deduplicator: EventDeduplicator,
	events: ServiceEvent[],
): Promise<ServiceEvent[]> {
	const received = new Map(events.map((event) => [eventDigest(event), event]));
	const isElsewhere = (): boolean =>
		[...received.keys()].some((digest) => deduplicator.isClaimed(digest));
	while (isElsewhere()) await sleep(POLL_INTERVAL_MS);
	return [...received].flatMap(([digest, event]) => (deduplicator.claim(digest) ? [event] : []));
}

/** Whether an event was chosen. One that names another workspace is none of this one. */
const isWanted = (
	{ kind, workspaceIds }: ServiceEvent,
	{ kinds, workspaceId }: TriggerParameters,
): boolean =>
	kinds.includes(kind) && workspaceIds.every((id) => id.trim().toLowerCase() === workspaceId);

/** Whether an event has a status that was chosen, or does not tell it. */
const hasWantedStatus = ({ status }: ServiceEvent, { statuses }: TriggerParameters): boolean =>
	statuses.length === 0 || status === undefined || statuses.includes(status.toLowerCase());

/** Whether an event tells no time of its own, or one that is recent enough. A record's time is not the event's. */
const isRecent = (
	{ occurredAt, object, raw }: ServiceEvent,
	{ maxAgeMs }: TriggerParameters,
): boolean => object === raw || !(Date.now() - Date.parse(occurredAt ?? '') > maxAgeMs);

/** Whether an event says so little that its partner has to be asked for. */
const isThin = ({ subject, status }: ServiceEvent): boolean =>
	subject === 'partner' && status === undefined;

/**
 * Completes events that say nothing of their partner but its ID, with the record that the service has of
 * it. A payable cannot be asked for: what is known of it stands in the event, or follows from it.
 *
 * @throws when the service does not tell it in time, or has no such partner in the workspace
 */
async function completeEvents(
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

/** An event on its way from the delivery to the execution that it starts. */
interface EventItem extends ItemToClaim {
	/** The payable that a verified event says is paid. */
	paid?: PaidPayable;
}

/**
 * The item that an event comes out as. What the service says, and whoever forges it, stands in objects
 * of its own: `verified` is always our word.
 */
const toItem = (
	event: ServiceEvent,
	{ simplify }: TriggerParameters,
	verified: boolean,
): EventItem => ({
	digest: eventDigest(event),
	json: simplify ? simplified(event, verified) : { body: event.raw, verified },
	...(verified && event.kind === 'payablePaid' && { paid: paidOf(event) }),
});

const paidOf = ({
	objectId,
	workspaceIds: [workspaceId],
	occurredAt,
}: ServiceEvent): PaidPayable => ({
	payableId: String(objectId),
	...(workspaceId !== undefined && { workspaceId }),
	...(occurredAt !== undefined && { paidAt: occurredAt }),
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
