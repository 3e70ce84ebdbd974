import type { IDataObject } from 'n8n-workflow';

import type { EventKind } from '../api/endpoints';
import { isRecord } from '../shared/typeGuards';
import { UUID } from '../shared/workspaceIds';

/*
 * The service documents which events exist, but not their identifiers or payload. All guesses about them
 * are in this file, and nothing here throws.
 */

type Subject = 'payable' | 'partner';

export interface ServiceEvent {
	kind: EventKind;
	/** The identifier as it was sent; undefined when there was none. */
	type: string | undefined;
	/** The event's own ID; undefined when it has none. */
	id: string | undefined;
	occurredAt: string | undefined;
	/** As it was sent, or as it follows from the event. */
	status: string | undefined;
	subject: Subject;
	objectId: string | number;
	/** The payable or partner. */
	object: IDataObject;
	raw: IDataObject;
}

/** Whether the partner of an event must be fetched. */
export const isThin = ({ subject, status }: Pick<ServiceEvent, 'subject' | 'status'>): boolean =>
	subject === 'partner' && status === undefined;

/** Kinds by the service's identifiers in lower case, as the user has mapped them. */
export type IdentifierMap = ReadonlyMap<string, EventKind>;

const LISTS = ['events', 'data', 'items'];
const IDENTIFIERS = ['event_type', 'eventType', 'type', 'event', 'event_name', 'name', 'topic'];
const IDS = ['event_id', 'eventId'];
const TIMES = [
	'occurred_at',
	'created_at',
	'occurredAt',
	'createdAt',
	'timestamp',
	'time',
	'created',
];
/** A smaller number is a time in seconds. */
const MIN_MILLISECONDS = 1e11;
const PAYLOADS = ['data', 'payload', 'object', 'resource', 'body'];
/** Names that stand beside a payable or partner, not in it. */
const ENVELOPE = ['event', 'payable_id', 'payableId', 'partner_id', 'partnerId', ...PAYLOADS];
const STATUSES = ['status', 'state', 'new_status', 'newStatus'];

const SUBJECTS = new Map<string, Subject>([
	['payable', 'payable'],
	['payables', 'payable'],
	['partner', 'partner'],
	['partners', 'partner'],
	['vendor', 'partner'],
	['vendors', 'partner'],
]);

const ID_NAMES = new Set(['workspaceid', 'workspaceuuid']);
const WORKSPACE_ID = new RegExp(`^\\s*${UUID}\\s*$`);

/** How many events a delivery has, recognized or not. */
export const countEvents = (body: unknown): number => listIn(body)?.length ?? 1;

/** The events of a delivery, without those that are not recognized or lack the ID of their object. */
export const parseEvents = (body: unknown, identifiers: IdentifierMap): ServiceEvent[] =>
	(listIn(body) ?? [body]).filter(isRecord).flatMap((raw) => parseEvent(raw, identifiers) ?? []);

const listIn = (body: unknown): unknown[] | undefined =>
	(isRecord(body) ? LISTS.map((name) => body[name]) : [body]).find(Array.isArray);

/**
 * The event in a body that holds one; undefined when it is not recognized or lacks the ID of its
 * object.
 */
export function parseEvent(raw: IDataObject, identifiers: IdentifierMap): ServiceEvent | undefined {
	const type = identifierOf(raw);
	const mapped = identifiers.get(type?.toLowerCase() ?? '');
	const name = readName(type ?? '');
	const { object, subject: found } = unwrap(raw, mapped ? subjectOf(mapped) : name.subject);
	const isEnvelope = object !== raw;
	const status = text(object, STATUSES);
	const kindOfEvent = (): EventKind | undefined =>
		name.isSubject
			? kindByStatus(found ?? name.subject ?? guessSubject(object), status)
			: kindOfName(name);
	const kind = mapped ?? kindOfEvent();
	if (kind === undefined) {
		return undefined;
	}

	const subject = subjectOf(kind);
	const objectId = objectIdOf(raw, object, subject);
	if (objectId === undefined) {
		return undefined;
	}
	return {
		kind,
		type,
		id: eventId(raw, isEnvelope),
		occurredAt: timeIn(raw),
		status: status ?? impliedStatus(kind, name),
		subject,
		objectId,
		object,
		raw,
	};
}

/** The ID of the object that an event is about, under its own name, or as the object's own ID. */
function objectIdOf(
	raw: IDataObject,
	object: IDataObject,
	subject: Subject,
): string | number | undefined {
	const names = [`${subject}_id`, `${subject}Id`, subject];
	const named = idIn(object, names);
	if (named !== undefined) {
		return named;
	}
	const isEnvelope = object !== raw;
	const own = isEnvelope || isDescribed(object) ? idIn(object, ['id']) : undefined;
	return own ?? idIn(raw, names);
}

const subjectOf = (kind: EventKind): Subject =>
	kind === 'partnerStatusChanged' ? 'partner' : 'payable';

function identifierOf(raw: IDataObject): string | undefined {
	const { event } = raw;
	// A vendor may well be called "Payable Paid".
	const names = IDENTIFIERS.filter((name) => name !== 'name' || !isBareRecord(raw));
	return text(raw, names) ?? (isRecord(event) ? text(event, IDENTIFIERS) : undefined);
}

/** Whether an event is nothing but its payable or partner, so that "name" is the vendor's name. */
const isBareRecord = (raw: IDataObject): boolean =>
	isDescribed(raw) && ![...ENVELOPE, ...SUBJECTS.keys()].some((name) => name in raw);

/**
 * Finds the payable or partner in a body: goes down through the usual names in their order, such as from `data` to
 * the `object` in it, and then to `payable` or `partner`. Without any of them, it is the body itself.
 *
 * @param expected the subject by the event's identifier: a payable may hold the record of its partner
 */
function unwrap(
	raw: IDataObject,
	expected: Subject | undefined,
): { object: IDataObject; subject: Subject | undefined } {
	let object = raw;
	for (const name of PAYLOADS) {
		const inner = object[name];
		if (isRecord(inner)) {
			object = inner;
		}
	}
	for (const [name, subject] of SUBJECTS) {
		const inner = object[name];
		if (!isRecord(inner)) {
			continue;
		}
		if (subject === expected || (expected === undefined && text(object, STATUSES) === undefined)) {
			return { object: inner, subject };
		}
	}
	return { object, subject: undefined };
}

const kindByStatus = (subject: Subject, status: string | undefined): EventKind | undefined => {
	if (status === undefined) {
		return undefined;
	}
	return subject === 'partner' ? 'partnerStatusChanged' : BY_STATUS.get(status.toLowerCase());
};

/** Recognizes a payable by what only a payable has. */
const guessSubject = (object: IDataObject): Subject =>
	'amount' in object || 'payee_email' in object || 'payee_service_id' in object
		? 'payable'
		: 'partner';

/** Whether an event without an envelope is its payable or partner. */
const isDescribed = (object: IDataObject): boolean =>
	text(object, STATUSES) !== undefined || guessSubject(object) === 'payable';

function eventId(raw: IDataObject, isEnvelope: boolean): string | undefined {
	const { event } = raw;
	const id =
		idIn(raw, isEnvelope ? [...IDS, 'id'] : IDS) ??
		(isRecord(event) ? idIn(event, ['id']) : undefined);
	return id === undefined ? undefined : String(id);
}

function text(object: IDataObject, names: string[]): string | undefined {
	return names
		.map((name) => object[name])
		.find((value): value is string => typeof value === 'string' && value !== '');
}

/** When an event happened: as it was sent, or in ISO 8601 where it was sent as a number. */
function timeIn(raw: IDataObject): string | undefined {
	const { event } = raw;
	const [time] = [raw, event].flatMap((object) =>
		isRecord(object) ? TIMES.flatMap((name) => object[name] ?? []) : [],
	);
	const number = Number(time);
	if (!(number > 0)) {
		return typeof time === 'string' && time !== '' ? time : undefined;
	}
	const date = new Date(number < MIN_MILLISECONDS ? number * 1000 : number);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The first of the named properties that holds an ID. A number that JSON has rounded is not one. */
function idIn(object: IDataObject, names: string[]): string | number | undefined {
	return names
		.map((name) => object[name])
		.find((value): value is string | number =>
			typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value),
		);
}

const MAX_LENGTH = 200;

type EventName = ReturnType<typeof readName>;

function readName(name: string) {
	const spaced = name.length > MAX_LENGTH ? '' : name.replace(/([a-z])([A-Z])/g, '$1 $2');
	const words = spaced.toLowerCase().match(/[a-z]+/g) ?? [];
	// The subject is named last: the first one may be part of the service's name.
	const subjectAt = words.map((word) => SUBJECTS.has(word)).lastIndexOf(true);
	const behind = words.slice(subjectAt + 1).filter((word) => word !== 'v');
	return {
		subject: SUBJECTS.get(words[subjectAt] ?? ''),
		/** What follows the subject, such as `will_pay` in `payable.will_pay.v1`. */
		rest: behind.join('_'),
		isChange: words.some((word) => CHANGE.test(word)),
		/** A name such as `payable` gives only the subject. The status then says what happened. */
		isSubject: name === '' || (words.length > 0 && words.every((word) => SUBJECTS.has(word))),
	};
}

const CHANGE = /^(status|changed?|updated?|verification|verified|tax)$/;

/**
 * Reads `payable.paid`, `payable_paid`, `PayablePaid`, `payables/paid`, and so on. Paid and approved must
 * follow the subject alone: `payable.partially_paid` is another event.
 */
function kindOfName({ subject, rest, isChange }: EventName): EventKind | undefined {
	if (subject === undefined) {
		return undefined;
	}
	if (subject === 'partner') {
		return isChange ? 'partnerStatusChanged' : undefined;
	}
	return BY_STATUS.get(rest) ?? (isChange ? 'payableStatusChanged' : undefined);
}

const BY_STATUS = new Map<string, EventKind>([
	['approved', 'payableApproved'],
	['will_pay', 'payableStatusChanged'],
	['paid', 'payablePaid'],
]);

/** The status of a payable whose event does not state it. */
function impliedStatus(kind: EventKind, { rest }: EventName): string | undefined {
	if (kind === 'payablePaid') {
		return 'paid';
	}
	if (kind === 'payableApproved') {
		return 'approved';
	}
	return kind === 'payableStatusChanged' && BY_STATUS.has(rest) ? rest : undefined;
}

/**
 * Whether an event, or what is around a list of them, names another workspace on any level. Lists are left
 * out: a vendor may list all workspaces that it works for.
 *
 * @param own in lower case
 */
export const namesOtherWorkspace = (event: unknown, own: string): boolean =>
	isRecord(event) &&
	Object.entries(event).some(
		([name, value]) => (workspaceId(name, value) ?? own) !== own || namesOtherWorkspace(value, own),
	);

function workspaceId(name: string, value: unknown): string | undefined {
	const plainName = name.toLowerCase().replace(/[^a-z]/g, '');
	if (ID_NAMES.has(plainName)) {
		return id(value);
	}
	if (plainName !== 'workspace') {
		return undefined;
	}
	if (isRecord(value)) {
		return id(value.uuid) ?? id(value.id);
	}
	return typeof value === 'string' && WORKSPACE_ID.test(value) ? id(value) : undefined;
}

/** Anything that is not an ID counts as another workspace. */
function id(value: unknown): string | undefined {
	if (value === undefined || value === null) {
		return undefined;
	}
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.trim().toLowerCase() || undefined;
}
