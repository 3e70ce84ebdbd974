import type { IDataObject } from 'n8n-workflow';

import { identifier, isRecord } from '../service/api/responseReaders';
import type { EventKind } from '../service/api/webhookSubscriptions';

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
	whole: IDataObject;
}

/** What an event is about. */
export type Subject = 'payable' | 'partner';

/** Identifiers that the user has assigned to kinds, in lower case. */
export type Assigned = ReadonlyMap<string, EventKind>;

const LISTS = ['events', 'data', 'items'];
const IDENTIFIERS = ['event_type', 'eventType', 'type', 'event', 'event_name', 'name', 'topic'];
const IDS = ['event_id', 'eventId'];
const TIMES = ['occurred_at', 'created_at', 'occurredAt', 'createdAt', 'timestamp', 'time'];
const PAYLOADS = ['data', 'payload', 'object', 'resource', 'body'];
/** A map, since what is looked up comes from outside: an object has a `constructor` as well. */
const SUBJECTS = new Map<string, Subject>([
	['payable', 'payable'],
	['payables', 'payable'],
	['partner', 'partner'],
	['partners', 'partner'],
	['vendor', 'partner'],
	['vendors', 'partner'],
]);

/** The events of a delivery: one, or a list of them. What cannot be recognised is left out. */
export function recognise(body: unknown, assigned: Assigned): ServiceEvent[] {
	return entries(body).flatMap((entry) => recogniseOne(entry, assigned) ?? []);
}

function entries(body: unknown): IDataObject[] {
	if (Array.isArray(body)) return body.filter(isRecord);
	if (!isRecord(body)) return [];
	const list = LISTS.map((name) => body[name]).find(Array.isArray);
	return list === undefined ? [body] : list.filter(isRecord);
}

function recogniseOne(whole: IDataObject, assigned: Assigned): ServiceEvent | undefined {
	const type = identifierOf(whole);
	const { object, subject: named, isEnvelope } = unwrap(whole);
	const status = text(object, ['status', 'state']);
	const subject = named ?? subjectIn(type) ?? subjectOf(object);
	const kind =
		assigned.get(type?.toLowerCase() ?? '') ??
		(saysKind(type) ? kindOfName(type) : kindOfStatus(subject, status, object));
	if (kind === undefined) return undefined;
	return {
		kind,
		type,
		id: text(whole, IDS) ?? (isEnvelope ? identifier(whole) : undefined),
		occurredAt: text(whole, TIMES),
		workspaceId: text(whole, ['workspace_id', 'workspaceId']) ?? text(object, ['workspace_id']),
		status,
		subject: kind === 'partnerStatusChanged' ? 'partner' : 'payable',
		object,
		whole,
	};
}

/** An identifier stands at the top, or in an object called `event`. */
function identifierOf(whole: IDataObject): string | undefined {
	const { event } = whole;
	return text(whole, IDENTIFIERS) ?? (isRecord(event) ? text(event, IDENTIFIERS) : undefined);
}

/** Finds the payable or partner: under its own name, under a usual one, both, or the whole body. */
function unwrap(whole: IDataObject): {
	object: IDataObject;
	subject: Subject | undefined;
	isEnvelope: boolean;
} {
	let object = whole;
	for (const name of PAYLOADS) {
		const inner = object[name];
		if (isRecord(inner)) object = inner;
	}
	for (const [name, subject] of SUBJECTS) {
		const inner = object[name];
		if (isRecord(inner)) return { object: inner, subject, isEnvelope: true };
	}
	return { object, subject: undefined, isEnvelope: object !== whole };
}

const words = (name: string): string[] =>
	name
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter((word) => word !== '');

/** The subject named last: the first one may be the service's own name. */
const subjectIn = (type: string | undefined): Subject | undefined =>
	words(type ?? '')
		.flatMap((word) => SUBJECTS.get(word) ?? [])
		.at(-1);

/** A name such as `payable` tells the subject alone; what happened is in the status then. */
const saysKind = (type: string | undefined): type is string =>
	type !== undefined &&
	(words(type).length === 0 || words(type).some((word) => !SUBJECTS.has(word)));

/** Verification and tax form are one status: every word for a change of it means the same. */
const CHANGES = [
	'status',
	'change',
	'changed',
	'update',
	'updated',
	'verification',
	'verified',
	'tax',
];

/**
 * `payable.paid`, `payable_paid`, `PayablePaid`, `payables/paid`, … Paid and approved have to stand
 * alone behind the subject: `payable.partially_paid` is something else.
 */
function kindOfName(type: string): EventKind | undefined {
	const subject = subjectIn(type);
	if (subject === undefined) return undefined;
	const said = words(type);
	const isChange = CHANGES.some((word) => said.includes(word));
	if (subject === 'partner') return isChange ? 'partnerStatusChanged' : undefined;
	const rest = said.slice(
		Math.max(...[...SUBJECTS.keys()].map((name) => said.lastIndexOf(name))) + 1,
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
