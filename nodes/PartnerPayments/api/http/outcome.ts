import type { NetworkFailure } from './networkFailure';
import type { Semantics, ServiceResponse } from './message';

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
	| 'unreadable'
	/** The service took too many requests of this account to let this one in. */
	| 'rateLimited'
	/** The connection never opened, which may be over a moment later. */
	| 'notSent'
	/** The connection never opened, and somebody has to correct something first. */
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
const IN_DOUBT: Consequence = { retry: false, outcome: 'unknown' };

const forAnySemantics = (consequence: Consequence): Record<Semantics, Consequence> => ({
	safe: consequence,
	idempotent: consequence,
	nonIdempotent: consequence,
});

/** The one table that decides what may be sent again and what is in doubt. */
const CONSEQUENCES: Record<Exclude<AnswerClass, 'success'>, Record<Semantics, Consequence>> = {
	rateLimited: forAnySemantics(RETRY),
	notSent: forAnySemantics(RETRY),
	unreachable: forAnySemantics(FAIL),
	declined: forAnySemantics(FAIL),
	conflict: forAnySemantics(FAIL),
	denied: forAnySemantics(FAIL),
	missing: { safe: FAIL, idempotent: FAIL, nonIdempotent: IN_DOUBT },
	ambiguous: { safe: RETRY, idempotent: RETRY, nonIdempotent: IN_DOUBT },
	unreadable: { safe: FAIL, idempotent: FAIL, nonIdempotent: IN_DOUBT },
};

const DECLINED = [400, 402, 411, 413, 414, 415, 422];
const MISSING = [404, 405, 406, 410];

/**
 * The statuses whose meaning is known. Which ones the service uses is not documented, so that any other,
 * a redirect or a proxy's timeout among them, leaves open what was done.
 */
const MEANINGS = new Map<number, AnswerClass>([
	...DECLINED.map((status) => [status, 'declined'] as const),
	...MISSING.map((status) => [status, 'missing'] as const),
	[401, 'denied'],
	[403, 'denied'],
	[409, 'conflict'],
	[429, 'rateLimited'],
]);

export function classify(result: AttemptResult): AnswerClass {
	if ('failure' in result) {
		const { neverSent, isTransient } = result.failure;
		if (!neverSent) return 'ambiguous';
		return isTransient ? 'notSent' : 'unreachable';
	}
	const { status } = result;
	return status >= 200 && status < 300 ? 'success' : (MEANINGS.get(status) ?? 'ambiguous');
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

/**
 * Whether a declined request has been done all the same: the service declines to set a state that an
 * earlier attempt, which got no answer, has set already.
 */
export const isDoneAlready = (
	answer: AnswerClass,
	semantics: Semantics,
	wasUnanswered: boolean,
): boolean => wasUnanswered && semantics === 'idempotent' && isRefusal(answer);
