import type { IDataObject } from 'n8n-workflow';

import { identifier } from '../service/api/responseReaders';
import type { EventKind } from '../service/api/webhookSubscriptions';
import { isRecord } from '../shared/json';

/*
 * The service documents which events there are, but neither their identifiers nor their payload. All
 * that is guessed about either stands here; nothing here throws.
 */

/** An event, whatever it came in. */
export interface ServiceEvent {
	kind: EventKind;
	/** The identifier as it was sent; undefined when there was none. */
	type: string | undefined;
	/** The event's own ID; undefined when it has none. */
	id: string | undefined;
	occurredAt: string | undefined;
	workspaceId: string | undefined;
	status: string | undefined;
	subject: Subject;
	/** The payable or partner as it was sent. */
	object: IDataObject;
	/** The event as it was sent. */
	raw: IDataObject;
}

/** What an event is about. */
type Subject = 'payable' | 'partner';

/** The kinds that the user has mapped the service's identifiers to, in lower case. */
export type IdentifierMap = ReadonlyMap<string, EventKind>;

const LISTS = ['events', 'data', 'items'];
const IDENTIFIERS = ['event_type', 'eventType', 'type', 'event', 'event_name', 'name', 'topic'];
const IDS = ['event_id', 'eventId'];
const TIMES = ['occurred_at', 'created_at', 'occurredAt', 'createdAt', 'timestamp', 'time'];
const PAYLOADS = ['data', 'payload', 'object', 'resource', 'body'];
/** A map, since the keys come from outside: an object has a `constructor` as well. */
const SUBJECTS = new Map<string, Subject>([
	['payable', 'payable'],
	['payables', 'payable'],
	['partner', 'partner'],
	['partners', 'partner'],
	['vendor', 'partner'],
	['vendors', 'partner'],
]);

/** The events of a delivery: one, or a list of them. What is not recognised is left out. */
export function parseEvents(body: unknown, identifiers: IdentifierMap): ServiceEvent[] {
	return entries(body).flatMap((entry) => parseEvent(entry, identifiers) ?? []);
}

function entries(body: unknown): IDataObject[] {
	if (Array.isArray(body)) return body.filter(isRecord);
	if (!isRecord(body)) return [];
	const list = LISTS.map((name) => body[name]).find(Array.isArray);
	return list === undefined ? [body] : list.filter(isRecord);
}

function parseEvent(raw: IDataObject, identifiers: IdentifierMap): ServiceEvent | undefined {
	const type = identifierOf(raw);
	const { object, subject: named, isEnvelope } = unwrap(raw);
	const status = text(object, ['status', 'state']);
	const subject = named ?? subjectIn(type) ?? subjectOf(object);
	const kind =
		identifiers.get(type?.toLowerCase() ?? '') ??
		(namesKind(type) ? kindOfName(type) : kindOfStatus(subject, status, object));
	if (kind === undefined) return undefined;
	return {
		kind,
		type,
		id: text(raw, IDS) ?? (isEnvelope ? identifier(raw) : undefined),
		occurredAt: text(raw, TIMES),
		workspaceId: text(raw, ['workspace_id', 'workspaceId']) ?? text(object, ['workspace_id']),
		status,
		subject: kind === 'partnerStatusChanged' ? 'partner' : 'payable',
		object,
		raw,
	};
}

/** An identifier stands at the top, or in an object called `event`. */
function identifierOf(raw: IDataObject): string | undefined {
	const { event } = raw;
	return text(raw, IDENTIFIERS) ?? (isRecord(event) ? text(event, IDENTIFIERS) : undefined);
}

/** Finds the payable or partner: under its own name, under a usual one, both, or the raw body. */
function unwrap(raw: IDataObject): {
	object: IDataObject;
	subject: Subject | undefined;
	isEnvelope: boolean;
} {
	let object = raw;
	for (const name of PAYLOADS) {
		const inner = object[name];
		if (isRecord(inner)) object = inner;
	}
	for (const [name, subject] of SUBJECTS) {
		const inner = object[name];
		if (isRecord(inner)) return { object: inner, subject, isEnvelope: true };
	}
	return { object, subject: undefined, isEnvelope: object !== raw };
}

const tokensOf = (name: string): string[] =>
	name
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.match(/[a-z]+/g) ?? [];

/** The subject named last: the first one may be the service's own name. */
const subjectIn = (type: string | undefined): Subject | undefined =>
	tokensOf(type ?? '')
		.flatMap((word) => SUBJECTS.get(word) ?? [])
		.at(-1);

/** A name such as `payable` tells the subject alone; what happened is in the status then. */
const namesKind = (type: string | undefined): type is string =>
	type !== undefined &&
	(tokensOf(type).length === 0 || tokensOf(type).some((word) => !SUBJECTS.has(word)));

/** Verification and tax form are one status: every word for a change of it means the same. */
const CHANGE = /^(status|changed?|updated?|verification|verified|tax)$/;

/**
 * `payable.paid`, `payable_paid`, `PayablePaid`, `payables/paid`, … Paid and approved have to stand
 * alone behind the subject: `payable.partially_paid` is something else.
 */
function kindOfName(type: string): EventKind | undefined {
	const subject = subjectIn(type);
	if (subject === undefined) return undefined;
	const tokens = tokensOf(type);
	const isChange = tokens.some((word) => CHANGE.test(word));
	if (subject === 'partner') return isChange ? 'partnerStatusChanged' : undefined;
	const rest = tokens.slice(
		Math.max(...[...SUBJECTS.keys()].map((name) => tokens.lastIndexOf(name))) + 1,
	);
	const kind = BY_STATUS.get(rest.filter((word) => word !== 'v').join('_'));
	return kind ?? (isChange ? 'payableStatusChanged' : undefined);
}

const BY_STATUS = new Map<string, EventKind>([
	['approved', 'payableApproved'],
	['will_pay', 'payableStatusChanged'],
	['paid', 'payablePaid'],
]);

function kindOfStatus(
	subject: Subject | undefined,
	status: string | undefined,
	object: IDataObject,
): EventKind | undefined {
	if (status === undefined || identifier(object) === undefined) return undefined;
	return subject === 'partner' ? 'partnerStatusChanged' : BY_STATUS.get(status.toLowerCase());
}

/** Tells an object without any name by what only a payable has. */
const subjectOf = (object: IDataObject): Subject =>
	'amount' in object || 'payee_email' in object || 'payee_service_id' in object
		? 'payable'
		: 'partner';

/** The first of the named properties that holds a text. */
function text(object: IDataObject, names: string[]): string | undefined {
	return names
		.map((name) => object[name])
		.find((value): value is string => typeof value === 'string' && value !== '');
}
