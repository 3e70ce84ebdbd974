import { classify, isDoneAlready, isRefusal, type AttemptResult } from './classify';
import type { Clock, WaitTimer } from './clock';
import {
	afterAttempts,
	attemptError,
	blockedError,
	cancelledError,
	ServiceError,
	unexplainedError,
} from './errors';
import { AccountBlockedError, type RateLimiter, type SentRequest } from './rateLimiter';
import type { BeforeSend, ServiceRequest, ServiceResponse } from './request';
import { RetryPolicy } from './retryPolicy';

/** What a request is sent with. */
interface RequestContext {
	clock: Clock;
	/** The account's rate limiter, looked up anew for each attempt. */
	rateLimiter: () => RateLimiter;
	/** Measures how long requests wait for the account's limit. */
	waitTimer: WaitTimer;
	/** Ends all waiting when it aborts. */
	signal: AbortSignal | undefined;
	/** Where requests go, for errors. */
	host: string;
	beforeSend?: BeforeSend | undefined;
}

/** What the attempts so far have shown. */
interface AttemptHistory {
	/** Whether an attempt got no answer, so that it may have worked. */
	isUnanswered: boolean;
	/** Whether an attempt has begun that has not ended. */
	isInFlight: boolean;
	/** How often the request was tried, when it is given up. */
	attempts: number;
}

/**
 * Sends a request within the account's limit, and again as the retry policy decides.
 *
 * @param attempt sends it once; what it throws ends the request
 * @returns the success. For an idempotent request also a refusal that follows an attempt without an
 *   answer, with an empty body: the service then says that the state is set already.
 * @throws ServiceError when it did not work out, or the execution was stopped
 */
export async function sendWithRetries(
	request: ServiceRequest,
	context: RequestContext,
	attempt: () => Promise<AttemptResult>,
): Promise<ServiceResponse> {
	const history = { isUnanswered: false, isInFlight: false, attempts: 1 };
	try {
		return await sendUntilSettled(request, context, attempt, history);
	} catch (error) {
		throw explained(error, request, context.signal, history);
	}
}

async function sendUntilSettled(
	request: ServiceRequest,
	context: RequestContext,
	attempt: () => Promise<AttemptResult>,
	history: AttemptHistory,
): Promise<ServiceResponse> {
	const { clock, signal, waitTimer, host } = context;
	const { semantics } = request;
	const retryPolicy = new RetryPolicy(semantics, clock);
	for (let attempts = 1; ; attempts += 1) {
		const result = await sendInSlot(context, attempt, history);
		const answer = classify(result);
		if ('status' in result) {
			const { status, body } = result;
			if (answer === 'success') return { status, body };
			if (isDoneAlready(answer, semantics, history.isUnanswered)) return { status, body: {} };
		}
		history.isUnanswered ||= answer === 'ambiguous';
		const delayMs = retryPolicy.delayAfter(result);
		if (delayMs === undefined) {
			// A definite refusal is final at once, however often other requests were in its way.
			if (!isRefusal(answer) && answer !== 'denied') history.attempts = attempts;
			throw attemptError(request, host, result, history.isUnanswered);
		}
		const wait = clock.wait(delayMs, signal);
		await (answer === 'rateLimited' ? waitTimer.measure(wait) : wait);
	}
}

/** Acquires a slot of the account and makes one attempt. */
async function sendInSlot(
	{ rateLimiter, waitTimer, signal, beforeSend }: RequestContext,
	attempt: () => Promise<AttemptResult>,
	history: AttemptHistory,
): Promise<AttemptResult> {
	const limiter = rateLimiter();
	const slot = await waitTimer.measure(limiter.acquire(signal));
	let sent: SentRequest | undefined;
	try {
		await beforeSend?.();
		// A request that n8n cancels itself would be in doubt.
		signal?.throwIfAborted();
		sent = {};
		history.isInFlight = true;
		const result = await attempt();
		history.isInFlight = false;
		if ('status' in result) sent = result;
		return result;
	} finally {
		limiter.release(slot, sent);
	}
}

/** What ended a request, as an error for the user wherever it is known or in doubt. */
function explained(
	error: unknown,
	request: ServiceRequest,
	signal: AbortSignal | undefined,
	{ isUnanswered, isInFlight, attempts }: AttemptHistory,
): unknown {
	if (error instanceof ServiceError) return afterAttempts(error, attempts, isUnanswered);
	if (error instanceof AccountBlockedError) return blockedError(request, error.forMs, isUnanswered);
	// Nothing but an answer leads out of that, whatever has gone wrong on this side.
	if (request.semantics === 'nonIdempotent' && (isInFlight || isUnanswered))
		return unexplainedError(request);
	const isCancelled =
		signal?.aborted === true &&
		!isInFlight &&
		[error, error instanceof Error && error.cause].includes(signal.reason);
	return isCancelled ? cancelledError(request, isUnanswered) : error;
}
