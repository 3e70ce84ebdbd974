import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { abortable } from '../../shared/concurrency';
import { isRecord, parseJson } from '../../shared/values';
import type { AttemptResult } from '../http/outcome';
import { causesOf, networkFailure } from '../http/networkFailure';
import { redactedBody, redactor } from '../http/redact';
import {
	ANY_ANSWER,
	readBody,
	retryAfterMs,
	textResponse,
	type ServiceRequest,
} from '../http/message';
import { discardToken, tokensOf } from './accessToken';
import { stopSignal, withSignals, type Session } from './credentials';
import { isRefused, sendRenewed, tokenError } from './renewal';

/** How long an answer may take. A change gets longer, to be unconfirmed less often. */
const SAFE_TIMEOUT_MS = 30_000;
const CHANGE_TIMEOUT_MS = 60_000;
/** How long all of it may take, repeated or not: each byte of an answer starts the time above again. */
const LONGEST_MS = 150_000;

/**
 * Sends a request through n8n, once; or twice when n8n renews the token. When another process has
 * stored a revoked token, n8n renews it with the one of this process. If that is revoked too, it is
 * discarded, and the request is sent once more.
 *
 * @returns the answer, without the credential's secrets, or why there is none
 * @throws ServiceError when there is no token to be had
 */
export async function sendAuthenticated(
	session: Session,
	request: ServiceRequest,
): Promise<AttemptResult> {
	const { credentials } = session;
	const token = tokensOf(credentials).current?.value;
	const headers: IDataObject = { Accept: 'application/json', 'Accept-Encoding': 'identity' };
	const deadline = AbortSignal.timeout(LONGEST_MS);
	const result = await sendWithHeaders(session, request, headers, deadline);
	if (!isRefused(result) || token === undefined || headers.Authorization !== `Bearer ${token}`)
		return result;
	discardToken(credentials, token);
	return await sendWithHeaders(session, request, headers, deadline);
}

/** @param headers the one that authenticates the request is written into it */
async function sendWithHeaders(
	session: Session,
	{ method, path, semantics, body }: ServiceRequest,
	headers: IDataObject,
	deadline: AbortSignal,
): Promise<AttemptResult> {
	const { n8n, credentialType, credentials, root } = session;
	const options: IHttpRequestOptions = {
		method,
		url: root + path,
		headers,
		...(body !== undefined && { body }),
		...ANY_ANSWER,
		// n8n renews the token and repeats the request when a 401 is thrown.
		ignoreHttpStatusErrors: { ignore: true, except: [401] },
		timeout: semantics === 'safe' ? SAFE_TIMEOUT_MS : CHANGE_TIMEOUT_MS,
	};
	// Stopping the execution does not cut off a request whose answer must be known.
	const stop = semantics === 'nonIdempotent' ? undefined : stopSignal(n8n);
	const sender = withSignals(n8n, deadline, ...(stop === undefined ? [] : [stop]));
	const send = async (): Promise<AttemptResult> =>
		await resultOf(
			await n8n.helpers.httpRequestWithAuthentication.call(sender, credentialType, { ...options }),
		);
	const sending = send()
		.then(async (first) => (isRefused(first) ? await sendRenewed(session, send) : first))
		.catch(async (error: unknown) => await resultOfError(error, credentials));
	// n8n sets no time limit for the renewal of a token.
	const result = await abortable(sending, deadline).catch((error: unknown) => {
		if (deadline.aborted) return TIMED_OUT;
		throw error;
	});
	if ('failure' in result) return result;
	const redact = redactor(credentials, headers.Authorization, ...tokensOf(credentials).latest);
	return { ...result, body: redactedBody(result.body, redact) };
}

const TIMED_OUT: AttemptResult = { failure: networkFailure({ code: 'ETIMEDOUT' }) };

async function resultOf(response: unknown): Promise<AttemptResult> {
	const { status, text, headers } = await textResponse(response);
	return { status, body: parseJson(text), retryAfterMs: retryAfterMs(headers) };
}

/** n8n throws a 401 that a new token did not cure, a token that was not to be had, and broken connections. */
async function resultOfError(error: unknown, credentials: IDataObject): Promise<AttemptResult> {
	const noToken = tokenError(error, credentials);
	if (noToken !== undefined) throw noToken;
	for (const { response } of causesOf(error)) {
		if (!isRecord(response) || !('status' in response)) continue;
		const body = await readBody(response.data).catch(() => '');
		return { status: Number(response.status), body: parseJson(body.toString()) };
	}
	// The status is all that earlier versions of n8n keep of an answer.
	const { httpCode } = isRecord(error) ? error : {};
	return typeof httpCode === 'string' && /^\d{3}$/.test(httpCode)
		? { status: Number(httpCode), body: '' }
		: { failure: networkFailure(error) };
}
