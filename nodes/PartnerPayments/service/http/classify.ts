import type { NetworkFailure } from './networkFailure';
import type { Semantics, ServiceResponse } from './request';

/** What came of one attempt to send a request. */
export type AttemptResult =
	| (ServiceResponse & {
			/** How long the service asked to wait, in milliseconds, where it did. */
			retryAfterMs?: number | undefined;
	  })
	| { failure: NetworkFailure };

/** What an answer, or its absence, says of the request. */
export type AnswerClass =
	| 'success'
	/** A success that does not hold what it must, such as an ID. */
	| 'unreadable'
	/** The service took too many requests of this account to let this one in. */
	| 'rateLimited'
	/** The connection never opened, which may be over a moment later. */
	| 'notSent'
	/** The connection never opened, and somebody has to correct something first. */
	| 'unreachable'
	/** The service itself said no to what was asked. */
	| 'declined'
	/** The service, or something before it, said no to who asks or where. */
	| 'denied'
	/** No answer, or an error of the service's own: it may have done what was asked. */
	| 'ambiguous';

/** Whether a failed request may have had its effect. */
export type Outcome = 'notDone' | 'unknown';

/** What follows for a request. */
type Consequence = { retry: boolean; outcome: Outcome };

const FAIL: Consequence = { retry: false, outcome: 'notDone' };
const RETRY: Consequence = { retry: true, outcome: 'notDone' };
const IN_DOUBT: Consequence = { retry: false, outcome: 'unknown' };

const whatever = (consequence: Consequence): Record<Semantics, Consequence> => ({
	safe: consequence,
	idempotent: consequence,
	nonIdempotent: consequence,
});

/** The one table that decides what may be sent again and what is in doubt. */
const CONSEQUENCES: Record<Exclude<AnswerClass, 'success'>, Record<Semantics, Consequence>> = {
	rateLimited: whatever(RETRY),
	notSent: whatever(RETRY),
	unreachable: whatever(FAIL),
	declined: whatever(FAIL),
	denied: whatever(FAIL),
	ambiguous: { safe: RETRY, idempotent: RETRY, nonIdempotent: IN_DOUBT },
	unreadable: { safe: FAIL, idempotent: FAIL, nonIdempotent: IN_DOUBT },
};

/** Statuses that are about the token, the account's rights or its limit, not about the request. */
const DENIED = [401, 403];

/** Says what an attempt's result means. No other module compares statuses to decide this. */
export function classify(result: AttemptResult): AnswerClass {
	if ('failure' in result) {
		const { neverSent, isTransient } = result.failure;
		if (!neverSent) return 'ambiguous';
		return isTransient ? 'notSent' : 'unreachable';
	}
	const { status } = result;
	if (status >= 200 && status < 300) return 'success';
	if (status === 429) return 'rateLimited';
	if (status >= 500) return 'ambiguous';
	return status >= 400 && !DENIED.includes(status) ? 'declined' : 'denied';
}

/** What follows from an answer that is no success, for a request with these semantics. */
export function consequenceOf(
	answer: Exclude<AnswerClass, 'success'>,
	semantics: Semantics,
): Consequence {
	return CONSEQUENCES[answer][semantics];
}

/**
 * Whether a declined request has been done all the same: the service declines to set a state that an
 * earlier attempt, which got no answer, has set already.
 */
export const isDoneAlready = (
	answer: AnswerClass,
	semantics: Semantics,
	wasUnanswered: boolean,
): boolean => wasUnanswered && semantics === 'idempotent' && answer === 'declined';
