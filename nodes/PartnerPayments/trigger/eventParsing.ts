import type { IDataObject } from 'n8n-workflow';

import type { EventKind } from '../api/endpoints';
import { isRecord, UUID } from '../shared/values';

/*
 * The service documents which events there are, but neither their identifiers nor their payload. All
 * that is guessed about either stands here; nothing here throws.
 */

type Subject = 'payable' | 'partner';

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
	raw: IDataObject;
}

/** Whether an event says so little that its partner has to be asked for. */
export const isThin = ({ subject, status }: Pick<ServiceEvent, 'subject' | 'status'>): boolean =>
	subject === 'partner' && status === undefined;

/** The kinds that the user has mapped the service's identifiers to, in lower case. */
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
/** What stands beside a payable or partner, and not in it. */
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

/** How many events a delivery has, recognised or not. */
export const countEvents = (body: unknown): number => listIn(body)?.length ?? 1;

/**
 * The events of a delivery: one, or a list of them. Left out is what is not recognised, and what does
 * not tell the ID of its payable or partner.
 */
export function parseEvents(body: unknown, identifiers: IdentifierMap): ServiceEvent[] {
	const list = listIn(body);
	// A workspace that is named beside the list is that of all events in it.
	const around = list !== undefined && isRecord(body) ? workspacesIn(body) : [];
	return (list ?? [body])
		.filter(isRecord)
		.flatMap((raw) => parseEvent(raw, identifiers) ?? [])
		.map((event) => ({ ...event, workspaceIds: [...event.workspaceIds, ...around] }));
}

const listIn = (body: unknown): unknown[] | undefined =>
	(isRecord(body) ? LISTS.map((name) => body[name]) : [body]).find(Array.isArray);

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
		occurredAt: timeIn(raw),
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
	return subject === 'partner' ? 'partnerStatusChanged' : BY_STATUS.get(status.toLowerCase());
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

function text(object: IDataObject, names: string[]): string | undefined {
	return names
		.map((name) => object[name])
		.find((value): value is string => typeof value === 'string' && value !== '');
}

/** When an event happened: as it was sent, or in ISO 8601 where it was sent as seconds or milliseconds. */
function timeIn(raw: IDataObject): string | undefined {
	const { event } = raw;
	const [time] = [raw, event].flatMap((object) =>
		isRecord(object) ? TIMES.flatMap((name) => object[name] ?? []) : [],
	);
	const number = Number(time);
	if (!(number > 0)) return typeof time === 'string' && time !== '' ? time : undefined;
	const date = new Date(number < MIN_MILLISECONDS ? number * 1000 : number);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The first of the named properties that holds an ID. A number that JSON has rounded is none. */
function idIn(object: IDataObject, names: string[]): string | number | undefined {
	return names
		.map((name) => object[name])
		.find((value): value is string | number =>
			typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value),
		);
}

/** A longer text is no name of an event, and takes long to read. */
const MAX_LENGTH = 200;

const tokensOf = (name: string): string[] =>
	(name.length > MAX_LENGTH ? '' : name)
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
	const isChange = tokensOf(type).some((word) => CHANGE.test(word));
	if (subject === 'partner') return isChange ? 'partnerStatusChanged' : undefined;
	return BY_STATUS.get(behindSubject(type)) ?? (isChange ? 'payableStatusChanged' : undefined);
}

/** What stands behind the subject in a name, such as `will_pay` in `payable.will_pay.v1`. */
function behindSubject(type: string): string {
	const tokens = tokensOf(type);
	const subjectsAt = [...SUBJECTS.keys()].map((name) => tokens.lastIndexOf(name));
	const rest = tokens.slice(Math.max(...subjectsAt) + 1);
	return rest.filter((word) => word !== 'v').join('_');
}

const BY_STATUS = new Map<string, EventKind>([
	['approved', 'payableApproved'],
	['will_pay', 'payableStatusChanged'],
	['paid', 'payablePaid'],
]);

/** The status of a payable that follows from an event which does not state it. */
function impliedStatus(kind: EventKind, type: string | undefined): string | undefined {
	if (kind === 'payablePaid') return 'paid';
	if (kind === 'payableApproved') return 'approved';
	const named = behindSubject(type ?? '');
	return kind === 'payableStatusChanged' && BY_STATUS.has(named) ? named : undefined;
}

/**
 * The workspaces that an event names, on any level: `workspace_id`, `workspaceId`, `workspace.id`, …
 * Lists are left out, since a vendor may list all workspaces that it works for.
 *
 * @returns their IDs as they were sent, the outermost first; two of more, since an event of one
 *   workspace names no other
 */
export function workspacesIn(event: IDataObject): string[] {
	const found = new Map<string, string>();
	for (let level = [event]; level.length > 0;) {
		const properties = level.flatMap((object) => Object.entries(object));
		for (const [name, value] of properties) {
			const named = workspaceId(name, value);
			const plain = named?.trim().toLowerCase() ?? '';
			if (named !== undefined && !found.has(plain)) found.set(plain, named);
		}
		level = properties.map(([, value]) => value).filter(isRecord);
	}
	return [...found.values()].slice(0, 2);
}

/** The ID of a workspace, if the property names one. A name that is no ID cannot be compared. */
function workspaceId(name: string, value: unknown): string | undefined {
	const plainName = name.toLowerCase().replace(/[^a-z]/g, '');
	if (ID_NAMES.has(plainName)) return id(value);
	if (plainName !== 'workspace') return undefined;
	if (isRecord(value)) return id(value.uuid) ?? id(value.id);
	return typeof value === 'string' && WORKSPACE_ID.test(value) ? value : undefined;
}

/** Whatever stands in place of an ID is none of this workspace. */
function id(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.trim() === '' ? undefined : text;
}
