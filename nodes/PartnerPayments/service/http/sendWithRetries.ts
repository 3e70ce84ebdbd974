import type { Call } from './request';
import type { Clock } from './clock';
import {
	afterTries,
	closed,
	isRefusal,
	refused,
	ServiceError,
	stopped,
	unanswered,
} from './errors';
import type { NetworkFailure } from './networkFailure';
import { ClosedError, type Pace, type Sent } from './rateLimiter';
import { meaningOf, Retries } from './retryPolicy';
import type { Stopwatch } from './waitTimer';

/** A success: the parsed body (or its text, when it is no JSON) and the status. */
export interface Answer {
	body: unknown;
	status: number;
}

/** What came of sending a request once. */
export type Attempt = (
	(Answer & { retryAfterMs?: number | undefined }) | { failure: NetworkFailure }
) & {
	/** How often the service got it. */
	times: number;
};

/** Passed directly before a request is sent; when it throws, nothing is sent. */
export type Gate = () => Promise<void>;

/** What a call finds around it. */
export interface Surroundings {
	clock: Clock;
	/** The pace of the account, asked for anew with each attempt. */
	pace: () => Pace;
	/** Measures how long requests wait for their turn. */
	waiting: Stopwatch;
	/** Ends all waiting when it aborts. */
	signal: AbortSignal | undefined;
	/** Where requests go, for errors. */
	host: string;
	gate?: Gate | undefined;
}

/**
 * Sends a request in its turn, and again as `Retries` decides.
 *
 * @param send makes one attempt; what it throws ends the call
 * @returns the success. For a call that sets a state also a refusal that follows an attempt without an
 *   answer, with an empty body: the service then says that it is set already.
 * @throws ServiceError when it did not work out, or the execution was stopped
 */
export async function persist(
	call: Call,
	around: Surroundings,
	send: () => Promise<Attempt>,
): Promise<Answer> {
	const past = { isUnanswered: false, isUnderWay: false, triesInVain: 1 };
	return await untilDone(call, around, send, past).catch((error: unknown) => {
		throw inWords(error, call, around.signal, past);
	});
}

interface Past {
	/** Whether an attempt got no answer, so that it may have worked. */
	isUnanswered: boolean;
	/** Whether an attempt was begun that has not come to an end. */
	isUnderWay: boolean;
	/** How often it was tried when nothing is left but to give up. */
	triesInVain: number;
}

async function untilDone(
	call: Call,
	around: Surroundings,
	send: () => Promise<Attempt>,
	past: Past,
): Promise<Answer> {
	const { clock, signal, waiting } = around;
	const retries = new Retries(call.effect, clock);
	for (let tries = 1; ; tries += 1) {
		const attempt = await inTurn(around, send, past);
		const meaning = meaningOf(attempt);
		if ('status' in attempt) {
			const { status, body } = attempt;
			if (meaning === 'accepted') return { status, body };
			if (past.isUnanswered && saysDone(call, status)) return { status, body: {} };
		}
		past.isUnanswered ||= meaning === 'unanswered';
		const delay = retries.delayAfter(attempt);
		if (delay === undefined) {
			if (meaning !== 'refused') past.triesInVain = tries;
			throw errorOf(call, around.host, attempt, past);
		}
		const wait = clock.wait(delay, signal);
		await (meaning === 'tooMany' ? waiting.during(wait) : wait);
	}
}

/** What ended a call, as a sentence for the user wherever it is known. */
function inWords(
	error: unknown,
	call: Call,
	signal: AbortSignal | undefined,
	{ isUnanswered, isUnderWay, triesInVain }: Past,
): unknown {
	if (error instanceof ServiceError) return afterTries(error, triesInVain, isUnanswered);
	if (error instanceof ClosedError) return closed(call, error.forMs, isUnanswered);
	const isStopped = signal?.aborted === true && !isUnderWay;
	return isStopped ? stopped(call, isUnanswered) : error;
}

/** Waits for a place, passes the gate and makes one attempt. */
async function inTurn(
	{ pace, waiting, signal, gate }: Surroundings,
	send: () => Promise<Attempt>,
	past: Past,
): Promise<Attempt> {
	const account = pace();
	const place = await waiting.during(account.take(signal));
	let sent: Sent = { times: 0 };
	try {
		await gate?.();
		// A request that n8n cancels itself would be in doubt.
		signal?.throwIfAborted();
		sent = { times: 1 };
		past.isUnderWay = true;
		const attempt = await send();
		past.isUnderWay = false;
		sent = attempt;
		return attempt;
	} finally {
		account.leave(place, sent);
	}
}

/** Whether a refusal after an attempt without an answer means that this attempt did it. */
const saysDone = ({ effect }: Call, status: number): boolean =>
	effect === 'setsState' && isRefusal(status);

function errorOf(call: Call, host: string, attempt: Attempt, { isUnanswered }: Past): ServiceError {
	if ('status' in attempt) return refused(call, attempt.status, attempt.body);
	const { failure } = attempt;
	return unanswered(call, host, { ...failure, neverSent: failure.neverSent && !isUnanswered });
}
