import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { abortable } from '../../shared/concurrency';
import { parseJsonOrText } from '../../shared/json';
import type { AnsweredAttempt, AttemptResult, UnansweredAttempt } from '../http/outcome';
import { cancelledError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { redactedBody, redactor } from '../http/redact';
import { ANY_ANSWER, retryAfterMs, textResponse, type ServiceRequest } from '../http/message';
import { discardToken, tokensOf } from './accessToken';
import { stopSignal, withSignals, type Session } from './credentials';
import { missingTokenError, renewalError, renewToken, tokenIn, type Renewal } from './renewal';

/**
 * How long an answer may take. A request that changes something gets longer, so that fewer end
 * unconfirmed.
 */
const SAFE_TIMEOUT_MS = 30_000;
const CHANGE_TIMEOUT_MS = 60_000;
/**
 * How long all of it may take, with a second attempt: each byte of an answer restarts the timeouts
 * above.
 */
const LONGEST_MS = 150_000;

/**
 * Sends a request through n8n: once, or twice when the service refuses the token, which is renewed in
 * between. A request whose token was refused had no effect, so even one that moves money may be sent again.
 * n8n itself does not see the refusal, since it would repeat the request.
 *
 * @returns the answer, without the credential's secrets, or why there is none
 * @throws ServiceError when it cannot get a token
 */
export async function sendAuthenticated(
	session: Session,
	request: ServiceRequest,
): Promise<AttemptResult> {
	const deadline = AbortSignal.timeout(LONGEST_MS);
	const first = await sendOnce(session, request, deadline);
	if (!isTokenRefused(first)) {
		return first;
	}

	const stop = stopSignal(session.n8n);
	const signal = stop === undefined ? deadline : AbortSignal.any([deadline, stop]);
	const renewal = await abortable(renewToken(session), signal).catch(failedRenewal);
	if (stop?.aborted === true) {
		throw cancelledError(request);
	}

	if (deadline.aborted) {
		return first;
	}

	// Also after a renewal that failed: another process may have renewed the token.
	const second = await sendOnce(session, request, deadline);
	if (!isTokenRefused(second)) {
		return second;
	}

	const error = renewalError(renewal.failure, session.credentials);
	if (error !== undefined) {
		throw error;
	}

	return second;
}

const failedRenewal = (failure: unknown): Renewal => ({ failure });

const isTokenRefused = (result: AttemptResult): boolean =>
	result.kind === 'answered' && result.status === 401;

async function sendOnce(
	session: Session,
	{ method, path, idempotency, body }: ServiceRequest,
	deadline: AbortSignal,
): Promise<AttemptResult> {
	const { n8n, credentialType, credentials, root } = session;
	// n8n writes the token into this object; it is read back below.
	const headers: IDataObject = { Accept: 'application/json', 'Accept-Encoding': 'identity' };
	const options: IHttpRequestOptions = {
		...ANY_ANSWER,
		method,
		url: root + path,
		headers,
		...(body !== undefined && { body }),
		timeout: idempotency === 'safe' ? SAFE_TIMEOUT_MS : CHANGE_TIMEOUT_MS,
	};

	// Stopping the execution does not cut off a request whose answer must be known.
	const stop = idempotency === 'nonIdempotent' ? undefined : stopSignal(n8n);
	const signals = stop === undefined ? [deadline] : [deadline, stop];
	const sender = withSignals(n8n, ...signals);
	const sending = n8n.helpers.httpRequestWithAuthentication
		.call(sender, credentialType, options)
		.then(resultOf)
		.catch((thrown: unknown) => failureOf(thrown, credentials));

	// n8n sets no time limit for a token that it has to get first.
	const result = await abortable(sending, deadline).catch((error: unknown) => {
		if (deadline.aborted) {
			return TIMED_OUT;
		}

		throw error;
	});
	if (result.kind === 'unanswered') {
		return result;
	}

	if (isTokenRefused(result)) {
		discardToken(credentials, tokenIn(headers));
	}

	const redact = redactor(credentials, headers.Authorization, ...tokensOf(credentials).latest);
	return { ...result, body: redactedBody(result.body, redact) };
}

const TIMED_OUT: UnansweredAttempt = {
	kind: 'unanswered',
	failure: networkFailure({ code: 'ETIMEDOUT' }),
};

async function resultOf(response: unknown): Promise<AnsweredAttempt> {
	const { status, text, headers } = await textResponse(response);
	const body = parseJsonOrText(text);
	return { kind: 'answered', status, body, retryAfterMs: retryAfterMs(headers) };
}

/** n8n throws when it has no token, and when it gets no answer. */
function failureOf(thrown: unknown, credentials: IDataObject): UnansweredAttempt {
	const error = missingTokenError(thrown, credentials);
	if (error !== undefined) {
		throw error;
	}

	return { kind: 'unanswered', failure: networkFailure(thrown) };
}
