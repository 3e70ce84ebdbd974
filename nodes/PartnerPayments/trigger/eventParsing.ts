import type { IDataObject } from 'n8n-workflow';

import type { EventKind } from '../service/api/webhookSubscriptions';
import { isRecord } from '../shared/json';
import {
	impliedStatus,
	kindOfName,
	kindOfStatus,
	namesKind,
	subjectIn,
	SUBJECTS,
	type Subject,
} from './eventNames';
import { workspacesIn } from './eventWorkspaces';

/*
 * The service documents which events there are, but neither their identifiers nor their payload. All
 * that is guessed about either stands here and in eventNames.ts; nothing here throws.
 */

/** An event, whatever it came in. */
export interface ServiceEvent {
	kind: EventKind;
	/** The identifier as it was sent; undefined when there was none. */
	type: string | undefined;
	/** The event's own ID; undefined when it has none. */
	id: string | undefined;
	occurredAt: string | undefined;
	/** The workspaces that it names, as they were sent; an event of one workspace names no other. */
	workspaceIds: string[];
	/** As it was sent, or as it follows from the event; undefined when the event does not tell. */
	status: string | undefined;
	subject: Subject;
	/** The ID of the payable or partner. */
	objectId: string | number;
	/** The payable or partner as it was sent. */
	object: IDataObject;
	/** The event as it was sent. */
	raw: IDataObject;
}

/** The kinds that the user has mapped the service's identifiers to, in lower case. */
export type IdentifierMap = ReadonlyMap<string, EventKind>;

const LISTS = ['events', 'data', 'items'];
const IDENTIFIERS = ['event_type', 'eventType', 'type', 'event', 'event_name', 'name', 'topic'];
const IDS = ['event_id', 'eventId'];
const TIMES = ['occurred_at', 'created_at', 'occurredAt', 'createdAt', 'timestamp', 'time'];
const PAYLOADS = ['data', 'payload', 'object', 'resource', 'body'];
/** What stands beside a payable or partner, and not in it. */
const ENVELOPE = ['event', 'payable_id', 'payableId', 'partner_id', 'partnerId', ...PAYLOADS];
const STATUSES = ['status', 'state', 'new_status', 'newStatus'];

/**
 * The events of a delivery: one, or a list of them. Left out is what is not recognised, and what does
 * not tell the ID of its payable or partner.
 */
export function parseEvents(body: unknown, identifiers: IdentifierMap): ServiceEvent[] {
	if (!isRecord(body)) return recordsOf(body).flatMap((raw) => parseEvent(raw, identifiers) ?? []);
	const list = LISTS.map((name) => body[name]).find(Array.isArray);
	if (list === undefined) return [parseEvent(body, identifiers) ?? []].flat();
	// A workspace that is named beside the list is that of all events in it.
	const workspaceIds = workspacesIn(body);
	return recordsOf(list)
		.flatMap((raw) => parseEvent(raw, identifiers) ?? [])
		.map((event) => ({ ...event, workspaceIds: [...event.workspaceIds, ...workspaceIds] }));
}

const recordsOf = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter(isRecord) : [];

function parseEvent(raw: IDataObject, identifiers: IdentifierMap): ServiceEvent | undefined {
	const type = identifierOf(raw);
	const mapped = identifiers.get(type?.toLowerCase() ?? '');
	const { object, subject: named } = unwrap(raw, mapped ? subjectOf(mapped) : subjectIn(type));
	const isEnvelope = object !== raw;
	const status = text(object, STATUSES);
	const kind =
		mapped ??
		(namesKind(type)
			? kindOfName(type)
			: kindByStatus(named ?? subjectIn(type) ?? guessSubject(object), status));
	if (kind === undefined) return undefined;
	const subject = subjectOf(kind);
	const objectId =
		idIn(object, [`${subject}_id`, `${subject}Id`, subject]) ??
		(isEnvelope || isDescribed(object) ? idIn(object, ['id']) : undefined) ??
		idIn(raw, [`${subject}_id`, `${subject}Id`, subject]);
	if (objectId === undefined) return undefined;
	return {
		kind,
		type,
		id: eventId(raw, isEnvelope),
		occurredAt: text(raw, TIMES),
		workspaceIds: workspacesIn(raw),
		status: status ?? impliedStatus(kind, type),
		subject,
		objectId,
		object,
		raw,
	};
}

const subjectOf = (kind: EventKind): Subject =>
	kind === 'partnerStatusChanged' ? 'partner' : 'payable';

/** An identifier stands at the top, or in an object called `event`. */
function identifierOf(raw: IDataObject): string | undefined {
	const { event } = raw;
	// A vendor may well be called "Payable Paid".
	const names = IDENTIFIERS.filter((name) => name !== 'name' || !isBareRecord(raw));
	return text(raw, names) ?? (isRecord(event) ? text(event, IDENTIFIERS) : undefined);
}

/** Whether an event is nothing but its payable or partner, so that the name in it is a vendor's own. */
const isBareRecord = (raw: IDataObject): boolean =>
	isDescribed(raw) && ![...ENVELOPE, ...SUBJECTS.keys()].some((name) => name in raw);

/**
 * Finds the payable or partner: under its own name, under a usual one, both, or the raw body.
 *
 * @param expected what the event is about, as far as its identifier tells. A payable may hold the record
 *   of its partner.
 */
function unwrap(
	raw: IDataObject,
	expected: Subject | undefined,
): { object: IDataObject; subject: Subject | undefined } {
	let object = raw;
	for (const name of PAYLOADS) {
		const inner = object[name];
		if (isRecord(inner)) object = inner;
	}
	for (const [name, subject] of SUBJECTS) {
		const inner = object[name];
		if (!isRecord(inner)) continue;
		if (subject === expected || (expected === undefined && text(object, STATUSES) === undefined))
			return { object: inner, subject };
	}
	return { object, subject: undefined };
}

const kindByStatus = (subject: Subject, status: string | undefined): EventKind | undefined => {
	if (status === undefined) return undefined;
	return subject === 'partner' ? 'partnerStatusChanged' : kindOfStatus(status);
};

/** Tells an object without any name by what only a payable has. */
const guessSubject = (object: IDataObject): Subject =>
	'amount' in object || 'payee_email' in object || 'payee_service_id' in object
		? 'payable'
		: 'partner';

/** Whether an event without an envelope is its payable or partner: what says nothing of one is not. */
const isDescribed = (object: IDataObject): boolean =>
	text(object, STATUSES) !== undefined || guessSubject(object) === 'payable';

function eventId(raw: IDataObject, isEnvelope: boolean): string | undefined {
	const { event } = raw;
	const id =
		idIn(raw, isEnvelope ? [...IDS, 'id'] : IDS) ??
		(isRecord(event) ? idIn(event, ['id']) : undefined);
	return id === undefined ? undefined : String(id);
}

/** The first of the named properties that holds a text. */
function text(object: IDataObject, names: string[]): string | undefined {
	return names
		.map((name) => object[name])
		.find((value): value is string => typeof value === 'string' && value !== '');
}

/** The first of the named properties that holds an ID. A number that JSON has rounded is none. */
function idIn(object: IDataObject, names: string[]): string | number | undefined {
	return names
		.map((name) => object[name])
		.find((value): value is string | number =>
			typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value),
		);
}
