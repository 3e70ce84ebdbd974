import {
	sleep,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { recognise, type ServiceEvent } from './eventParsing';
import { EventMemory, fingerprint, memoryOf } from './deduplicator';
import { readSettings, type Settings } from './parameters';
import { rememberSubscriptions } from './subscriptions';
import { verify } from './verification';

/** Bytes; an event is a few hundred. */
const LARGEST = 1024 * 1024;
/** Milliseconds between two looks at whether another delivery has started an execution. */
const PAUSE = 20;
/** Levels of objects and lists in one another; an event has four. */
const DEEPEST = 100;

/**
 * Receives one delivery. It is checked in this order: size, signature, JSON, events in it, which of
 * them are wanted, which of those are new: what nobody wants takes no place in the memory. Only then
 * an execution starts. What is unwanted or known is answered 200, so that it is not sent again.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const body = rawBody(context);
	if (body.length > LARGEST) return answer(context, 413, 'The body is too large');
	const verification = await verify(context, settings, body);
	if (verification === 'refused') {
		return answer(context, 401, 'The signature is missing or wrong');
	}
	const content = parse(body);
	if (content === undefined) return answer(context, 400, 'The body is not JSON, or too deep');
	const events = recognise(content, settings.assigned).filter((event) => isWanted(event, settings));
	return await start(context, settings, events, verification === 'verified');
}

/**
 * Starts an execution for the events that no delivery has started one for. When another delivery is
 * just about to, its outcome is waited for: an event is never answered 200 that nothing was started for.
 */
async function start(
	context: IWebhookFunctions,
	settings: Settings,
	events: ServiceEvent[],
	verified: boolean,
): Promise<IWebhookResponseData> {
	const data = context.getWorkflowStaticData('node');
	const memory = memoryFor(context);
	memory.load(data.events);
	const heard = new Map(events.map((event) => [fingerprint(event.id, event.whole), event]));
	while ([...heard.keys()].some((identity) => memory.isInWork(identity))) await sleep(PAUSE);
	const claimed = new Map([...heard].filter(([identity]) => memory.claim(identity)));
	if (claimed.size === 0) return answer(context, 200, 'Nothing new');

	const identities = [...claimed.keys()];
	const response = context.getResponseObject();
	// A connection that breaks says nothing about the execution, which may be starting all the same.
	response.once('finish', () => {
		if (response.statusCode >= 300) memory.release(identities);
		else if (identities.some((identity) => memory.isInWork(identity))) memory.keep(identities);
	});
	const items = [...claimed.values()].map((event) => ({
		json: settings.simplify ? simplified(event, settings, verified) : event.whole,
	}));
	return {
		workflowData: [items],
		// n8n asks for this once the execution has started, and stores the static data before it
		// answers: an event is never remembered that nothing was started for.
		get webhookResponse() {
			data.events = memory.keep(identities);
			rememberSubscriptions(context);
			return { message: 'Received' };
		},
	};
}

/** Somebody who listens for a test event wants to see whatever comes, again and again. */
const memoryFor = (context: IWebhookFunctions): EventMemory =>
	context.getMode() === 'manual'
		? new EventMemory()
		: memoryOf(`${context.getWorkflow().id ?? ''} ${context.getNode().id}`);

function isWanted({ kind, status, workspaceId }: ServiceEvent, settings: Settings): boolean {
	return (
		settings.kinds.includes(kind) &&
		(settings.statuses.length === 0 || settings.statuses.includes(status?.toLowerCase() ?? '')) &&
		(workspaceId === undefined || workspaceId.toLowerCase() === settings.workspaceId)
	);
}

const simplified = (event: ServiceEvent, settings: Settings, verified: boolean): IDataObject => ({
	event: event.kind,
	event_type: event.type ?? null,
	event_id: event.id ?? null,
	occurred_at: event.occurredAt ?? null,
	workspace_id: event.workspaceId ?? settings.workspaceId,
	[`${event.subject}_id`]: event.object.id ?? null,
	status: event.status ?? null,
	[event.subject]: event.object,
	verified,
});

/** Answers in place of n8n, and starts nothing. */
function answer(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

function rawBody(context: IWebhookFunctions): Buffer {
	const { rawBody: body }: { rawBody?: unknown } = context.getRequestObject();
	return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** The JSON of a body; undefined when it is none, or so deep that n8n could not store it. */
function parse(body: Buffer): unknown {
	try {
		const content: unknown = JSON.parse(body.toString('utf8'));
		return isDeep(content) ? undefined : content;
	} catch {
		return undefined;
	}
}

/** Goes through level by level, since what calls itself fails on such a body. */
function isDeep(content: unknown): boolean {
	let level = [content];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > DEEPEST) return true;
		level = level.flatMap((value): unknown[] =>
			typeof value === 'object' && value !== null ? Object.values(value) : [],
		);
	}
	return false;
}
