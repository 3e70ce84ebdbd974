import { createHash } from 'crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { isRecord, parseJson, textOf } from '../../shared/values';
import { ServiceError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { redactedBody, redactor } from '../http/redact';
import type { TextResponse } from '../http/message';
import { serviceMessage } from '../http/serviceMessage';
import { baseUrl } from '../http/url';

type TokenRequest = components['schemas']['ClientCredentialsTokenRequest'];
type Credentials = Record<string, unknown>;

/** Sends one request and resolves with any answer; rejects only when there is none. */
export type Transport = (request: IHttpRequestOptions) => Promise<TextResponse>;

interface IssuedToken {
	value: string;
	expiresAt: number;
}

const NO_TOKEN = 'No access token: ';
const CHECK_AUTH_URL = 'Check the Auth Base URL of the credential.';
const TIMEOUT_MS = 30_000;
const issued = new Map<string, IssuedToken>();
const latest = new Map<string, string[]>();
const pending = new Map<string, Promise<IssuedToken>>();

/**
 * Gets an access token for client credentials. Within a process one token serves everyone: whoever
 * asks while a request is under way waits for it, and whoever comes with an older token gets the
 * newest one without a request. A refused token is never handed out again.
 *
 * @param rejected the token that the service did not accept, empty when there was none
 * @throws ServiceError when there is no token to be had
 */
export async function sharedToken(
	credentials: Credentials,
	rejected: string,
	transport: Transport,
): Promise<string> {
	const account = accountKey(credentials);
	discardToken(credentials, rejected);
	const known = issued.get(account);
	if (known !== undefined && known.expiresAt > Date.now()) return known.value;
	const request = pending.get(account) ?? requestForAll(account, credentials, transport);
	return (await request).value;
}

/** The token that this process hands out for a credential, if it has one. */
export function currentToken(credentials: Credentials): string | undefined {
	return issued.get(accountKey(credentials))?.value;
}

/** A token that the service refused is not handed out any more. */
export function discardToken(credentials: Credentials, refused: string): void {
	const account = accountKey(credentials);
	if (issued.get(account)?.value === refused) issued.delete(account);
}

/** Finds the error of {@link sharedToken} in what n8n threw for it: itself, its cause, or in earlier versions its text. */
export function sharedTokenError(error: unknown): ServiceError | undefined {
	const { cause, messages, description: hint } = isRecord(error) ? error : {};
	const found = [error, cause].find((candidate) => candidate instanceof ServiceError);
	if (found !== undefined || !Array.isArray(messages)) return found;
	const message = messages.map(String).find((text) => text.startsWith(NO_TOKEN));
	if (message === undefined || typeof hint !== 'string') return undefined;
	return new ServiceError({ message, hint });
}

/** The tokens that this process was issued last for a credential, the refused one before it included. */
export function issuedTokens(credentials: Credentials): string[] {
	return latest.get(accountKey(credentials)) ?? [];
}

/** Asks for a new token. Its ServiceError tells a wrong secret, audience or address and an unreachable host apart. */
export async function requestToken(
	credentials: Credentials,
	transport: Transport,
): Promise<IssuedToken> {
	const request = tokenRequest(credentials);
	const sentAt = Date.now();
	const { status, text } = await transport(request).catch((error: unknown) =>
		noToken(
			`${new URL(request.url).host} cannot be reached, ${networkFailure(error).reason}`,
			CHECK_AUTH_URL,
		),
	);
	const body = parseJson(text);
	if (status < 200 || status >= 300) {
		throwRefusal(status, redactedBody(body, redactor(credentials)));
	}
	if (!isRecord(body) || typeof body.access_token !== 'string' || body.access_token === '') {
		return noToken('the server answered, but not with a token', CHECK_AUTH_URL);
	}
	const lifetime = Number(body.expires_in);
	return {
		value: body.access_token,
		expiresAt: Number.isFinite(lifetime) ? sentAt + lifetime * 1000 : Infinity,
	};
}

/** The token is known before the request counts as done, so that nobody asks in between. */
function requestForAll(account: string, credentials: Credentials, transport: Transport) {
	const request = requestToken(credentials, transport)
		.then((token) => {
			issued.set(account, token);
			latest.set(account, [...(latest.get(account) ?? []), token.value].slice(-2));
			return token;
		})
		.finally(() => pending.delete(account));
	pending.set(account, request);
	return request;
}

function tokenRequest(credentials: Credentials): IHttpRequestOptions {
	const body: TokenRequest = {
		client_id: required(credentials.clientId, 'Client ID'),
		client_secret: required(credentials.clientSecret, 'Client Secret'),
		audience: required(credentials.audience, 'Audience'),
		grant_type: 'client_credentials',
	};
	return {
		method: 'POST',
		url: `${baseUrl(credentials.authBaseUrl, 'Auth Base URL')}/oauth/token`,
		headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
		body,
		timeout: TIMEOUT_MS,
		// With each byte of an answer the timeout begins anew, and everybody waits for this one.
		abortSignal: AbortSignal.timeout(TIMEOUT_MS),
		disableFollowRedirect: true,
	};
}

function required(value: unknown, field: string): string {
	const text = textOf(value).trim();
	return text === ''
		? noToken(`the credential has no ${field}`, 'Enter the one the operator gave you.')
		: text;
}

type Condition = (status: number, body: unknown, message: string) => boolean;
type Cause = [applies: Condition, reason: string, hint: string];

const DIFFERENT_ONES = 'sandbox and production have different ones.';

const CAUSES: Cause[] = [
	[(status) => status >= 500, 'the server has a problem of its own', 'Try again later.'],
	[
		(status, _, message) => status === 403 || /audience/i.test(message),
		'the audience is not accepted',
		`Check the Audience of the credential; ${DIFFERENT_ONES}`,
	],
	[
		(status, body) => status === 401 || (isRecord(body) && body.error === 'invalid_client'),
		'the client ID or the client secret is wrong',
		`Check both in the credential; ${DIFFERENT_ONES}`,
	],
	[
		(status, body) => !isRecord(body) || status === 404 || status === 405,
		'there is no token endpoint at that address',
		CHECK_AUTH_URL,
	],
];
const OTHER_CAUSE: Cause = [() => true, 'the server refused', 'Check the credential.'];

function throwRefusal(status: number, body: unknown): never {
	const message = serviceMessage(body);
	const details = `status ${status}${message === undefined ? '' : `, "${message}"`}`;
	const [, reason, hint] =
		CAUSES.find(([applies]) => applies(status, body, message ?? '')) ?? OTHER_CAUSE;
	return noToken(`${reason} (${details})`, hint);
}

function accountKey(credentials: Credentials): string {
	const parts = ['authBaseUrl', 'clientId', 'clientSecret', 'audience'].map(
		(name) => credentials[name],
	);
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function noToken(reason: string, hint: string): never {
	throw new ServiceError({ message: NO_TOKEN + reason, hint });
}
