import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { paceOf } from './accounts';
import { baseUrl, secureUrl } from './address';
import { fullResponse, headersOf, textAnswer, type TextAnswer } from './answer';
import { persist, type Answer, type Attempt, type Gate, type Surroundings } from './attempts';
import type { Call } from './call';
import { systemClock } from './clock';
import { ServiceError } from './errors';
import { limitOf, UNLIMITED } from './limit';
import { networkFailure, type NetworkFailure } from './network';
import { parseBody } from './openShapes';
import type { Pace } from './pacing';
import { oAuth2Tokens, redactedBody, redactor } from './redact';
import { renewalFailure } from './renewal';
import { retryAfterMs } from './retryAfter';
import { Stopwatch } from './stopwatch';
import { issuedTokens } from './token';
import { tokenInUse } from './tokenInUse';

/** What the node needs of n8n to reach the service. */
export type Host = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

export type { Answer, Gate };

/** The service, as one connected account sees it. */
export interface Service {
	authentication: Authentication;
	environment: 'sandbox' | 'production';
	/** Tells accounts apart: the root of the API. */
	account: string;
	/**
	 * Sends a request and returns the answer to it; throws a ServiceError for anything but a success.
	 *
	 * @param gate passed directly before the request; when it throws, nothing is sent
	 */
	send(call: Call, gate?: Gate): Promise<Answer>;
	/** Loads a document from an address that the service named. No credential is sent along. */
	download(url: string, call: Call): Promise<Buffer>;
	/** Milliseconds in which at least one request of this connection waited for the account's limit. */
	waitedMs(): number;
}

/** The values of the node's Authentication field. */
export type Authentication = 'clientCredentials' | 'oAuth2';

const credentialTypeOf = (authentication: Authentication): string =>
	authentication === 'oAuth2' ? 'partnerPaymentsOAuth2Api' : 'partnerPaymentsApi';

/** How long an answer may take. What changes something is waited for longer, to be in doubt less often. */
const READ_TIMEOUT_MS = 30_000;
const CHANGE_TIMEOUT_MS = 60_000;

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
	const waiting = new Stopwatch(systemClock);
	const connection: Connection = {
		host,
		credentialType,
		credentials,
		root,
		authorization: undefined,
		around: {
			clock: systemClock,
			waiting,
			signal: 'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined,
		},
	};
	return {
		authentication,
		environment: credentials.environment === 'production' ? 'production' : 'sandbox',
		account: root,
		send: async (call, gate) => await send(connection, call, gate),
		download: async (url, call) => await download(connection, url, call),
		waitedMs: () => waiting.elapsed,
	};
}

interface Connection {
	host: Host;
	credentialType: string;
	credentials: IDataObject;
	root: string;
	/** The header of the latest request, where n8n shows it. */
	authorization: unknown;
	around: Pick<Surroundings, 'clock' | 'waiting' | 'signal'>;
}

const paceOfApi = ({ credentials, root }: Connection): Pace =>
	paceOf(JSON.stringify([root, credentials.clientId]), limitOf(credentials));

async function send(connection: Connection, call: Call, gate?: Gate): Promise<Answer> {
	const around = {
		...connection.around,
		gate,
		pace: () => paceOfApi(connection),
		host: new URL(connection.root).host,
	};
	return await persist(call, around, async () => await sendOnce(connection, call));
}

async function sendOnce(connection: Connection, call: Call): Promise<Attempt> {
	const { host, credentialType, credentials, root } = connection;
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
	const token = tokenInUse(credentials, connection.authorization);
	const answer = await host.helpers.httpRequestWithAuthentication
		.call(host, credentialType, request)
		.then(replyOf, (error: unknown) => readFailure(error, credentials));
	connection.authorization = headers.Authorization ?? connection.authorization;
	const isRenewed =
		token !== undefined && token !== tokenInUse(credentials, connection.authorization);
	const times = isRenewed ? 2 : 1;
	if ('failure' in answer) return { ...answer, times };
	const redact = redactor(credentials, headers.Authorization, ...issuedTokens(credentials));
	return { ...answer, body: redactedBody(parseBody(answer.text), redact), times };
}

async function download(connection: Connection, url: string, call: Call): Promise<Buffer> {
	const { href, host: server } = secureUrl(
		url,
		`The address of the document`,
		'Download it by hand, if you trust it.',
	);
	const isOfApi = href.startsWith(`${connection.root}/`);
	const around = {
		...connection.around,
		pace: () => (isOfApi ? paceOfApi(connection) : paceOf(server, UNLIMITED)),
		host: server,
	};
	const { body } = await persist(call, around, async () => await loadOnce(connection.host, href));
	return Buffer.isBuffer(body) || body instanceof ArrayBuffer
		? Buffer.from(new Uint8Array(body))
		: Buffer.of();
}

async function loadOnce(host: Host, url: string): Promise<Attempt> {
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
