import type { NetworkFailure } from './networkFailure';
import type { Semantics, ServiceResponse } from './message';

/** The answer to one attempt to send a request, or why there is none. */
export type AttemptResult =
	| (ServiceResponse & {
			/** How long the service asked to wait, in milliseconds, where it did. */
			retryAfterMs?: number | undefined;
	  })
	| { failure: NetworkFailure };

/** What an answer, or its absence, says of the request. */
export type AnswerClass =
	| 'success'
	| 'unreadable'
	/** The service took too many requests of this account to let this one in. */
	| 'rateLimited'
	/** The connection never opened, which may be over a moment later. */
	| 'notSent'
	/** The connection never opened, and a person has to correct something first. */
	| 'unreachable'
	/** The service itself said no to what was asked. */
	| 'declined'
	/** There is nothing at that address, or not any more: what was there may have done it. */
	| 'missing'
	/** The service said no because of the state that things are in. */
	| 'conflict'
	| 'denied'
	/** No answer, or one that leaves open whether it was done. */
	| 'ambiguous';

/** Whether a failed request may have had its effect. */
export type Outcome = 'notDone' | 'unknown';

type Consequence = { retry: boolean; outcome: Outcome };

const FAIL: Consequence = { retry: false, outcome: 'notDone' };
const RETRY: Consequence = { retry: true, outcome: 'notDone' };
const UNCONFIRMED: Consequence = { retry: false, outcome: 'unknown' };

/** The one table that decides what may be sent again and what is unconfirmed. */
const CONSEQUENCES: Record<Exclude<AnswerClass, 'success'>, Record<Semantics, Consequence>> = {
	rateLimited: { safe: RETRY, idempotent: RETRY, nonIdempotent: RETRY },
	notSent: { safe: RETRY, idempotent: RETRY, nonIdempotent: RETRY },
	unreachable: { safe: FAIL, idempotent: FAIL, nonIdempotent: FAIL },
	declined: { safe: FAIL, idempotent: FAIL, nonIdempotent: FAIL },
	conflict: { safe: FAIL, idempotent: FAIL, nonIdempotent: FAIL },
	denied: { safe: FAIL, idempotent: FAIL, nonIdempotent: FAIL },
	missing: { safe: FAIL, idempotent: FAIL, nonIdempotent: UNCONFIRMED },
	ambiguous: { safe: RETRY, idempotent: RETRY, nonIdempotent: UNCONFIRMED },
	unreadable: { safe: FAIL, idempotent: FAIL, nonIdempotent: UNCONFIRMED },
};

/**
 * The statuses whose meaning is known. Which ones the service uses is not documented, so that any other,
 * a redirect or a proxy's timeout among them, leaves open what was done.
 */
const STATUSES: Array<[AnswerClass, number[]]> = [
	['declined', [400, 402, 411, 413, 414, 415, 422]],
	['missing', [404, 405, 406, 410]],
	['denied', [401, 403]],
	['conflict', [409]],
	['rateLimited', [429]],
];

export function classify(result: AttemptResult): AnswerClass {
	if ('failure' in result) {
		const { neverSent, isTransient } = result.failure;
		if (!neverSent) return 'ambiguous';
		return isTransient ? 'notSent' : 'unreachable';
	}
	const { status } = result;
	if (status >= 200 && status < 300) return 'success';
	return STATUSES.find(([, known]) => known.includes(status))?.[0] ?? 'ambiguous';
}

export function consequenceOf(
	answer: Exclude<AnswerClass, 'success'>,
	semantics: Semantics,
): Consequence {
	return CONSEQUENCES[answer][semantics];
}

/** Whether the service itself said no to what was asked. */
export const isRefusal = (answer: AnswerClass | undefined): boolean =>
	answer === 'declined' || answer === 'missing' || answer === 'conflict';
