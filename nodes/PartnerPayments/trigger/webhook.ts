import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import {
	Deduplicator,
	deduplicatorFor,
	eventDigest,
	MAX_EVENTS,
	type ItemToClaim,
} from './deduplicator';
import { countEvents, namesOtherWorkspace, parseEvents, type ServiceEvent } from './eventParsing';
import { isChosenStatus, readParameters, type TriggerParameters } from './fields';
import { verify } from './signature';
import { storedData, triggerKey } from './triggerData';

const MAX_BODY_BYTES = 1024 * 1024;
const POLL_INTERVAL_MS = 100;
const MAX_DEPTH = 100;

/**
 * Receives one delivery. The order of checks: size, signature, JSON, number of events, which events are
 * wanted, which of those are new. Unwanted and known events get 200, so that they are not sent again.
 *
 * @throws when the trigger cannot check deliveries: n8n shows an execution that failed
 */
export async function receiveDelivery(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const checked = checkDelivery(n8n);
	return await (continuesOnError(n8n)
		? checked.catch(() => respond(n8n, 500, 'The delivery cannot be checked'))
		: checked);
}

/** Whether n8n would start the workflow with an empty item after an error. */
function continuesOnError(n8n: IWebhookFunctions): boolean {
	const { continueOnFail, onError = 'stopWorkflow' } = n8n.getNode();
	return continueOnFail === true || onError !== 'stopWorkflow';
}

async function checkDelivery(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const parameters = await readParameters(n8n);
	const body = await readRawBody(n8n);
	if (body.length > MAX_BODY_BYTES) {
		return respond(n8n, 413, 'The body is too large');
	}

	const verification = await verify(n8n, parameters, body);
	if (verification === 'rejected') {
		return respond(n8n, 401, 'The signature is missing or wrong');
	}

	const content = parseBody(body);
	if (content === undefined) {
		return respond(n8n, 400, 'The body is not JSON, or too deep');
	}
	if (countEvents(content) > MAX_EVENTS) {
		return respond(n8n, 413, 'The body has too many events');
	}

	const isOthers = namesOtherWorkspace(content, parameters.workspaceId);
	const events = isOthers ? [] : parseEvents(content, parameters.identifiers);
	const wanted = events.filter((event) => isWanted(event, parameters));
	return await startExecution(n8n, wanted, verification === 'verified');
}

/**
 * Starts an execution for the events that have not started one. If another delivery is about to, this one
 * waits for it: no event gets 200 without an execution.
 */
async function startExecution(
	n8n: IWebhookFunctions,
	events: ServiceEvent[],
	verified: boolean,
): Promise<IWebhookResponseData> {
	const deduplicator = deduplicatorOf(n8n);
	const claimed = await claimNew(deduplicator, events);
	if (claimed.length === 0) {
		return respond(n8n, 200, 'Nothing new');
	}

	const digests = claimed.map(([digest]) => digest);
	const response = n8n.getResponseObject();
	// n8n answers once the execution has started. A broken connection says nothing about that.
	response.once('finish', () => {
		if (response.statusCode < 300) {
			deduplicator.hold(digests);
		} else {
			deduplicator.release(digests);
		}
	});

	return {
		// What the service sent is in an object of its own, so that `verified` is always ours.
		workflowData: [
			claimed.map(([digest, { raw }]): ItemToClaim => ({ json: { body: raw, verified }, digest })),
		],
		webhookResponse: { message: 'Received' },
	};
}

/** A test shows every event. */
function deduplicatorOf(n8n: IWebhookFunctions): Deduplicator {
	if (n8n.getMode() === 'manual') {
		return new Deduplicator();
	}

	const deduplicator = deduplicatorFor(triggerKey(n8n));
	deduplicator.load(storedData(n8n).started);
	return deduplicator;
}

async function claimNew(
	deduplicator: Deduplicator,
	events: ServiceEvent[],
): Promise<Array<[digest: string, event: ServiceEvent]>> {
	const received = new Map(events.map((event) => [eventDigest(event), event]));
	const isElsewhere = (): boolean =>
		[...received.keys()].some((digest) => deduplicator.isPending(digest));
	while (isElsewhere()) {
		await sleep(POLL_INTERVAL_MS);
	}

	return [...received].filter(([digest]) => deduplicator.claim(digest));
}

const isWanted = (
	{ kind, status, occurredAt, object, raw }: ServiceEvent,
	{ kinds, statuses, workspaceId, maxAgeMs }: TriggerParameters,
): boolean =>
	kinds.includes(kind) &&
	isChosenStatus(status, statuses) &&
	!namesOtherWorkspace(raw, workspaceId) &&
	// The time of a bare record is not the event's. An event without a time is not too old.
	(object === raw || !(Date.now() - Date.parse(occurredAt ?? '') > maxAgeMs));

function respond(n8n: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	n8n.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** The bytes of a delivery; none of a form with files. n8n reads a body of a type that it does not parse only when it is asked. */
async function readRawBody(n8n: IWebhookFunctions): Promise<Buffer> {
	const request: { rawBody?: unknown; readRawBody?: () => Promise<void> } = n8n.getRequestObject();
	if (request.rawBody === undefined) {
		await request.readRawBody?.().catch(() => undefined);
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** The JSON of a body; undefined when it is not JSON, or too deep for n8n to store. */
function parseBody(body: Buffer): unknown {
	try {
		// A byte order mark is not part of the JSON (RFC 8259 §8.1).
		const text = body.toString('utf8').replace(/^\ufeff/, '');
		const content: unknown = JSON.parse(text);
		return isTooDeep(content) ? undefined : content;
	} catch {
		return undefined;
	}
}

function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
	if (typeof value !== 'object' || value === null) {
		return levels < 0;
	}
	return levels < 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}
