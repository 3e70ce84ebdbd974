import type { NetworkFailure } from './networkFailure';
import type { Idempotency, ServiceResponse } from './message';

/** How one attempt to send a request has ended. */
export type AttemptResult = AnsweredAttempt | UnansweredAttempt;

/** The service, or something before it, answered with any status. */
export interface AnsweredAttempt extends ServiceResponse {
	kind: 'answered';
	/** How long the service asked to wait, in milliseconds, where it did. */
	retryAfterMs?: number | undefined;
}

/** No answer came. */
export interface UnansweredAttempt {
	kind: 'unanswered';
	failure: NetworkFailure;
}

/** Why an attempt did not work, as its answer or the lack of one shows. */
export type FailureKind =
	/** A success without what the answer has to hold. */
	| 'unreadable'
	/** The service took too many requests of this account to let this one in. */
	| 'rateLimited'
	/** The connection never opened, which may be over a moment later. */
	| 'notConnected'
	/** The connection never opened, and a person has to correct something first. */
	| 'unreachable'
	/** The service itself said no to what was asked, as it is. */
	| 'declined'
	/** There is nothing at that address, or not any more: something else may have done it. */
	| 'missing'
	/** The service said no because of the state that things are in. */
	| 'conflict'
	| 'denied'
	/** No answer, or one that does not tell whether it was done. */
	| 'ambiguous';

/**
 * How a request ended that did not work.
 *
 * - `refused`: the service took it and said no, or it can be repeated without harm and failed for good
 * - `notSent`: nothing reached the service, or it was not let in
 * - `unknown`: it may have been done; people read that it is unconfirmed
 */
export type Outcome = 'refused' | 'notSent' | 'unknown';

type Consequence = { retry: boolean; outcome: Outcome };

const REFUSED: Consequence = { retry: false, outcome: 'refused' };
const NOT_SENT: Consequence = { retry: false, outcome: 'notSent' };
const UNKNOWN: Consequence = { retry: false, outcome: 'unknown' };

/** With the outcome for when all repetitions fail in the same way. */
const RETRY_NOT_SENT: Consequence = { retry: true, outcome: 'notSent' };
const RETRY_REFUSED: Consequence = { retry: true, outcome: 'refused' };

/** The one table that decides what may be sent again, and how a request ended. */
const CONSEQUENCES: Record<FailureKind, Record<Idempotency, Consequence>> = {
	rateLimited: {
		safe: RETRY_NOT_SENT,
		idempotent: RETRY_NOT_SENT,
		nonIdempotent: RETRY_NOT_SENT,
	},
	notConnected: {
		safe: RETRY_NOT_SENT,
		idempotent: RETRY_NOT_SENT,
		nonIdempotent: RETRY_NOT_SENT,
	},
	unreachable: { safe: NOT_SENT, idempotent: NOT_SENT, nonIdempotent: NOT_SENT },
	declined: { safe: REFUSED, idempotent: REFUSED, nonIdempotent: REFUSED },
	conflict: { safe: REFUSED, idempotent: REFUSED, nonIdempotent: REFUSED },
	denied: { safe: REFUSED, idempotent: REFUSED, nonIdempotent: REFUSED },
	missing: { safe: REFUSED, idempotent: REFUSED, nonIdempotent: UNKNOWN },
	ambiguous: { safe: RETRY_REFUSED, idempotent: RETRY_REFUSED, nonIdempotent: UNKNOWN },
	unreadable: { safe: REFUSED, idempotent: REFUSED, nonIdempotent: UNKNOWN },
};

/**
 * The statuses whose meaning is known. Which ones the service uses is not documented, so that any other,
 * a redirect or a proxy's timeout among them, does not tell what was done.
 */
const STATUSES: Array<[FailureKind, number[]]> = [
	['declined', [400, 402, 411, 413, 414, 415, 422]],
	['missing', [404, 405, 406, 410]],
	['denied', [401, 403]],
	['conflict', [409]],
	['rateLimited', [429]],
];

/** What an answer or the lack of one means. */
export function classify(
	result: Pick<AnsweredAttempt, 'kind' | 'status'> | UnansweredAttempt,
): FailureKind | 'success' {
	return result.kind === 'answered'
		? classifyStatus(result.status)
		: classifyFailure(result.failure);
}

/** What the status of an answer means. */
export function classifyStatus(status: number): FailureKind | 'success' {
	if (status >= 200 && status < 300) {
		return 'success';
	}

	const found = STATUSES.find(([, known]) => known.includes(status));
	return found?.[0] ?? 'ambiguous';
}

/** What it means that no answer came. */
export function classifyFailure({ neverSent, isTransient }: NetworkFailure): FailureKind {
	if (!neverSent) {
		return 'ambiguous';
	}

	return isTransient ? 'notConnected' : 'unreachable';
}

export function consequenceOf(kind: FailureKind, idempotency: Idempotency): Consequence {
	return CONSEQUENCES[kind][idempotency];
}

/**
 * Whether the service refused what was asked, not who asked. It also refuses a repeated request in this
 * way when an earlier attempt has worked after all.
 */
export const mayMeanAlreadyDone = (kind: FailureKind): boolean =>
	kind === 'declined' || kind === 'missing' || kind === 'conflict';
