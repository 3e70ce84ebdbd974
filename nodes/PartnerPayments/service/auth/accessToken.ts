import { createHash } from 'crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { baseUrl } from '../http/url';
import type { TextAnswer } from '../http/response';
import { ServiceError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { isRecord, parseBody, refusalMessage } from '../api/responseReaders';
import { redactedBody, redactor } from '../http/redact';

type TokenRequest = components['schemas']['ClientCredentialsTokenRequest'];
type Credentials = Record<string, unknown>;

/** Sends one request and resolves with any answer; rejects only when there is none. */
export type Transport = (request: IHttpRequestOptions) => Promise<TextAnswer>;

interface IssuedToken {
	value: string;
	/** Milliseconds since 1970. */
	expiresAt: number;
}

const TIMEOUT_MS = 30_000;
const issued = new Map<string, IssuedToken>();
const latest = new Map<string, string[]>();
const pending = new Map<string, Promise<IssuedToken>>();

/**
 * Gets an access token for client credentials. Within a process one token serves everyone: whoever
 * asks while a request is under way waits for it, and whoever comes with an older token gets the
 * newest one without a request. A refused token is never handed out again.
 *
 * @param credentials the decrypted credential
 * @param refused the token that the service did not accept, empty when there was none
 * @throws ServiceError when there is no token to be had
 */
export async function sharedToken(
	credentials: Credentials,
	refused: string,
	transport: Transport,
): Promise<string> {
	const account = accountKey(credentials);
	const known = issued.get(account);
	if (known?.value === refused) issued.delete(account);
	else if (known !== undefined && known.expiresAt > Date.now()) return known.value;
	const request = pending.get(account) ?? requestForAll(account, credentials, transport);
	return (await request).value;
}

/** The tokens that this process was issued last for a credential, the refused one before it included. */
export function issuedTokens(credentials: Credentials): string[] {
	return latest.get(accountKey(credentials)) ?? [];
}

/**
 * Asks the service for a new access token.
 *
 * @throws ServiceError that tells a wrong secret, a wrong audience, a wrong address and an
 *   unreachable host apart
 */
export async function requestToken(
	credentials: Credentials,
	transport: Transport,
): Promise<IssuedToken> {
	const request = tokenRequest(credentials);
	const sentAt = Date.now();
	const answer = await transport(request).catch((error: unknown) =>
		noToken(
			`${new URL(request.url).host} cannot be reached, ${networkFailure(error).reason}`,
			'Check the Auth Base URL of the credential.',
		),
	);
	if (answer.status < 200 || answer.status >= 300) {
		refuse(answer.status, redactedBody(parseBody(answer.text), redactor(credentials)));
	}
	const grant = parseBody(answer.text);
	if (!isRecord(grant) || typeof grant.access_token !== 'string' || grant.access_token === '') {
		return noToken(
			'the server answered, but not with a token',
			'Check the Auth Base URL of the credential.',
		);
	}
	const lifetime = Number(grant.expires_in);
	return {
		value: grant.access_token,
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
		disableFollowRedirect: true,
	};
}

function required(value: unknown, field: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '')
		return noToken(`the credential has no ${field}`, 'Enter the one the operator gave you.');
	return text;
}

function refuse(status: number, body: unknown): never {
	const words = refusalMessage(body);
	const said = words === undefined ? `status ${status}` : `status ${status}, "${words}"`;
	if (status >= 500) {
		return noToken(`the server has a problem of its own (${said})`, 'Try again later.');
	}
	if (status === 403 || /audience/i.test(words ?? '')) {
		return noToken(
			`the audience is not accepted (${said})`,
			'Check the Audience of the credential; sandbox and production have different ones.',
		);
	}
	if (status === 401 || (isRecord(body) && body.error === 'invalid_client')) {
		return noToken(
			`the client ID or the client secret is wrong (${said})`,
			'Check both in the credential; sandbox and production have different ones.',
		);
	}
	if (!isRecord(body) || status === 404 || status === 405) {
		return noToken(
			`there is no token endpoint at that address (${said})`,
			'Check the Auth Base URL of the credential.',
		);
	}
	return noToken(`the server refused (${said})`, 'Check the credential.');
}

function accountKey(credentials: Credentials): string {
	const parts = ['authBaseUrl', 'clientId', 'clientSecret', 'audience'].map(
		(name) => credentials[name],
	);
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function noToken(reason: string, advice: string): never {
	throw new ServiceError(`No access token: ${reason}`, advice);
}
