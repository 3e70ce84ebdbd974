import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { baseUrl, secureUrl } from './address';
import { fullResponse, textAnswer, type TextAnswer } from './answer';
import type { Call } from './call';
import { refused, ServiceError, unanswered } from './errors';
import { networkFailure } from './network';
import { parseBody } from './openShapes';
import { oAuth2Tokens, redactedBody, redactor } from './redact';
import { renewalFailure } from './renewal';
import { issuedTokens } from './token';

/** What the node needs of n8n to reach the service. */
export type Host = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** A success: the parsed body (or its text, when it is no JSON) and the status. */
export interface Answer {
	body: unknown;
	status: number;
}

/** The service, as one connected account sees it. */
export interface Service {
	authentication: Authentication;
	environment: 'sandbox' | 'production';
	/** The root of the API, which tells accounts of different environments apart. */
	account: string;
	/** How long requests have waited, in milliseconds. */
	waitedMs(): number;
	/** Sends a request and returns the answer to it; throws a ServiceError for anything but a success. */
	send(call: Call, gate?: Gate): Promise<Answer>;
	/** Loads a document from an address that the service named. No credential is sent along. */
	download(url: string, call: Call): Promise<Buffer>;
}

/** Called directly before a request is sent; when it throws, nothing is sent. */
export type Gate = () => Promise<void>;

/** The values of the node's Authentication field. */
export type Authentication = 'clientCredentials' | 'oAuth2';

const credentialTypeOf = (authentication: Authentication): string =>
	authentication === 'oAuth2' ? 'partnerPaymentsOAuth2Api' : 'partnerPaymentsApi';

const TIMEOUT_MS = 60_000;

/** The decrypted credential of the node. */
export async function readCredentials(
	host: Host | IWebhookFunctions,
	authentication: Authentication,
): Promise<IDataObject> {
	return await host.getCredentials<IDataObject>(credentialTypeOf(authentication));
}

/**
 * Connects to the service with the credential of the node.
 *
 * @throws ServiceError when the credential cannot work, before any request
 */
export async function connect(host: Host, authentication: Authentication): Promise<Service> {
	const credentialType = credentialTypeOf(authentication);
	const credentials = await readCredentials(host, authentication);
	const root = baseUrl(credentials.apiBaseUrl, 'API Base URL');
	// n8n itself renews the tokens of a connected account there, with the client's secret.
	baseUrl(credentials.authBaseUrl, 'Auth Base URL');
	if (authentication === 'oAuth2' && oAuth2Tokens(credentials).length === 0) {
		throw new ServiceError(
			'The credential is not connected to an account',
			'Open it and connect your account. Nothing was sent.',
		);
	}
	return {
		authentication,
		environment: credentials.environment === 'production' ? 'production' : 'sandbox',
		account: root,
		waitedMs: () => 0,
		send: async (call, gate) => {
			await gate?.();
			return await send(host, credentialType, credentials, root, call);
		},
		download: async (url, call) => await download(host, url, call),
	};
}

async function send(
	host: Host,
	credentialType: string,
	credentials: IDataObject,
	root: string,
	call: Call,
): Promise<Answer> {
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
		timeout: TIMEOUT_MS,
	};
	const answer = await host.helpers.httpRequestWithAuthentication
		.call(host, credentialType, request)
		.then(textAnswer, (error: unknown) => readFailure(error, call, root, credentials));
	const redact = redactor(credentials, headers.Authorization, ...issuedTokens(credentials));
	const body = redactedBody(parseBody(answer.text), redact);
	if (answer.status < 200 || answer.status >= 300) throw refused(call, answer.status, body);
	return { body, status: answer.status };
}

async function download(host: Host, url: string, call: Call): Promise<Buffer> {
	const { href, host: server } = secureUrl(
		url,
		`The address of the document`,
		'Download it by hand, if you trust it.',
	);
	const response: unknown = await host.helpers
		.httpRequest({
			url: href,
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: TIMEOUT_MS,
		})
		.catch((error: unknown) => {
			throw unanswered(call, server, networkFailure(error));
		});
	const { statusCode, body } = fullResponse(response);
	if (statusCode !== 200) throw refused(call, statusCode, undefined);
	return Buffer.isBuffer(body) || body instanceof ArrayBuffer
		? Buffer.from(new Uint8Array(body))
		: Buffer.of();
}

/** n8n throws a 401 that a new token did not cure, a token that was not to be had, and broken connections. */
function readFailure(
	error: unknown,
	call: Call,
	root: string,
	credentials: IDataObject,
): TextAnswer {
	const cause: unknown = error instanceof Error ? error.cause : undefined;
	const noToken =
		[error, cause].find((candidate) => candidate instanceof ServiceError) ??
		('oauthTokenData' in credentials ? renewalFailure(error, credentials) : undefined);
	if (noToken !== undefined) throw noToken;
	const response = responseOf(error) ?? responseOf(cause);
	if (response !== undefined) return response;
	throw unanswered(call, new URL(root).host, networkFailure(error));
}

function responseOf(error: unknown): TextAnswer | undefined {
	if (typeof error !== 'object' || error === null || !('response' in error)) return undefined;
	const { response } = error;
	if (typeof response !== 'object' || response === null || !('status' in response))
		return undefined;
	const text = 'data' in response && typeof response.data === 'string' ? response.data : '';
	return { status: Number(response.status), text };
}
