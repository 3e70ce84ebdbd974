import type { EventKind } from '../service/api/webhookSubscriptions';

/* What the identifiers and statuses of events mean, in whatever form a service writes them. */

/** What an event is about. */
export type Subject = 'payable' | 'partner';

/** A map, since the keys come from outside: an object has a `constructor` as well. */
export const SUBJECTS = new Map<string, Subject>([
	['payable', 'payable'],
	['payables', 'payable'],
	['partner', 'partner'],
	['partners', 'partner'],
	['vendor', 'partner'],
	['vendors', 'partner'],
]);

/** A longer text is no name of an event, and takes long to read. */
const MAX_LENGTH = 200;

const tokensOf = (name: string): string[] =>
	(name.length > MAX_LENGTH ? '' : name)
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.match(/[a-z]+/g) ?? [];

/** The subject named last: the first one may be the service's own name. */
export const subjectIn = (type: string | undefined): Subject | undefined =>
	tokensOf(type ?? '')
		.flatMap((word) => SUBJECTS.get(word) ?? [])
		.at(-1);

/** A name such as `payable` tells the subject alone; what happened is in the status then. */
export const namesKind = (type: string | undefined): type is string =>
	type !== undefined &&
	(tokensOf(type).length === 0 || tokensOf(type).some((word) => !SUBJECTS.has(word)));

/** Verification and tax form are one status: every word for a change of it means the same. */
const CHANGE = /^(status|changed?|updated?|verification|verified|tax)$/;

/**
 * `payable.paid`, `payable_paid`, `PayablePaid`, `payables/paid`, … Paid and approved have to stand
 * alone behind the subject: `payable.partially_paid` is something else.
 */
export function kindOfName(type: string): EventKind | undefined {
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

/** The kind of an event about a payable that has this status now. */
export const kindOfStatus = (status: string): EventKind | undefined =>
	BY_STATUS.get(status.toLowerCase());

/** The status of a payable that follows from an event which does not state it. */
export function impliedStatus(kind: EventKind, type: string | undefined): string | undefined {
	if (kind === 'payablePaid') return 'paid';
	if (kind === 'payableApproved') return 'approved';
	const named = behindSubject(type ?? '');
	return kind === 'payableStatusChanged' && BY_STATUS.has(named) ? named : undefined;
}
