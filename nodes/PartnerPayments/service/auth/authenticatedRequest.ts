import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { fullResponse, headersOf, textAnswer, type TextAnswer } from '../http/response';
import type { Attempt } from '../http/sendWithRetries';
import type { Call } from '../http/request';
import { ServiceError } from '../http/errors';
import { networkFailure, type NetworkFailure } from '../http/networkFailure';
import { parseBody } from '../api/responseReaders';
import { redactedBody, redactor } from '../http/redact';
import { renewalFailure } from './oAuth2Renewal';
import { retryAfterMs } from '../http/retryAfter';
import { issuedTokens } from './accessToken';
import { tokenInUse } from './tokenInUse';

/** What the node needs of n8n to reach the service. */
export type Host = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** What a request goes out with. */
export interface Login {
	host: Host;
	credentialType: string;
	credentials: IDataObject;
	/** The API's base URL. */
	root: string;
	/** The header of the latest request, where n8n has shown it. */
	authorization: unknown;
}

/** How long an answer may take. What changes something is waited for longer, to be in doubt less often. */
const READ_TIMEOUT_MS = 30_000;
const CHANGE_TIMEOUT_MS = 60_000;

/**
 * Sends a request through n8n, once; or twice when n8n renews the token.
 *
 * @throws ServiceError when there is no token to be had
 */
export async function sendOnce(login: Login, call: Call): Promise<Attempt> {
	const { host, credentialType, credentials, root } = login;
	// n8n writes the header of a connected account into this object.
	const headers: IDataObject = { Accept: 'application/json' };
	const request: IHttpRequestOptions = {
		method: call.method,
		url: root + call.path,
		headers,
		...(call.body !== undefined && { body: call.body }),
		encoding: 'text',
		returnFullResponse: true,
		// n8n renews the token and repeats the request when a 401 is thrown.
		ignoreHttpStatusErrors: { ignore: true, except: [401] },
		disableFollowRedirect: true,
		timeout: call.effect === 'reads' ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS,
	};
	const token = tokenInUse(credentials, login.authorization);
	const answer = await host.helpers.httpRequestWithAuthentication
		.call(host, credentialType, request)
		.then(replyOf, (error: unknown) => readFailure(error, credentials));
	login.authorization = headers.Authorization ?? login.authorization;
	const isRenewed = token !== undefined && token !== tokenInUse(credentials, login.authorization);
	const times = isRenewed ? 2 : 1;
	if ('failure' in answer) return { ...answer, times };
	const redact = redactor(credentials, headers.Authorization, ...issuedTokens(credentials));
	const { text, ...reply } = answer;
	return { ...reply, body: redactedBody(parseBody(text), redact), times };
}

/** Loads a document through n8n, once, without a credential. Its body is a Buffer. */
export async function loadOnce(host: Host, url: string): Promise<Attempt> {
	try {
		const response: unknown = await host.helpers.httpRequest({
			url,
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: READ_TIMEOUT_MS,
		});
		const { statusCode: status, body } = fullResponse(response);
		const asked = retryAfterMs(headersOf(response));
		return { status, body: status === 200 ? body : undefined, retryAfterMs: asked, times: 1 };
	} catch (error) {
		return { failure: networkFailure(error), times: 1 };
	}
}

type Reply = TextAnswer & { retryAfterMs?: number | undefined };

const replyOf = (response: unknown): Reply => ({
	...textAnswer(response),
	retryAfterMs: retryAfterMs(headersOf(response)),
});

/** n8n throws a 401 that a new token did not cure, a token that was not to be had, and broken connections. */
function readFailure(
	error: unknown,
	credentials: IDataObject,
): Reply | { failure: NetworkFailure } {
	const cause: unknown = error instanceof Error ? error.cause : undefined;
	const noToken =
		[error, cause].find((candidate) => candidate instanceof ServiceError) ??
		('oauthTokenData' in credentials ? renewalFailure(error, credentials) : undefined);
	if (noToken !== undefined) throw noToken;
	return responseOf(error) ?? responseOf(cause) ?? { failure: networkFailure(error) };
}

function responseOf(error: unknown): TextAnswer | undefined {
	if (typeof error !== 'object' || error === null || !('response' in error)) return undefined;
	const { response } = error;
	if (typeof response !== 'object' || response === null || !('status' in response))
		return undefined;
	const text = 'data' in response && typeof response.data === 'string' ? response.data : '';
	return { status: Number(response.status), text };
}
