import { createHash } from 'crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { parseJsonOrText } from '../../shared/json';
import { isRecord, stringOrEmpty } from '../../shared/typeGuards';
import { ServiceError } from '../http/errors';
import { causesOf, networkFailure } from '../http/networkFailure';
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

/** The tokens of one credential in this process. */
interface Tokens {
	/** The one that is handed out. */
	current?: IssuedToken | undefined;
	/** The two that were issued last, even if the service has refused them since. */
	latest: string[];
	pending?: Promise<IssuedToken> | undefined;
}

const NO_TOKEN = 'No access token: ';
const CHECK_AUTH_URL = 'Check the "Auth Base URL" of the credential.';
const TIMEOUT_MS = 30_000;
const tokensByAccount = new Map<string, Tokens>();

/**
 * Gets an access token for client credentials. Within a process one token serves all callers: those
 * that ask while a request is under way wait for it, and those that come with an older token get the
 * newest one without a request. A refused token is never handed out again.
 *
 * @param rejected the token that the service did not accept, empty when there was none
 * @throws ServiceError when it cannot get a token
 */
export async function sharedToken(
	credentials: Credentials,
	rejected: string,
	transport: Transport,
): Promise<string> {
	discardToken(credentials, rejected);
	const tokens = tokensOf(credentials);
	if (tokens.current !== undefined && tokens.current.expiresAt > Date.now()) {
		return tokens.current.value;
	}

	tokens.pending ??= requestToken(credentials, transport)
		.then((token) => {
			tokens.latest = [...tokens.latest, token.value].slice(-2);
			tokens.current = token;
			return token;
		})
		.finally(() => (tokens.pending = undefined));
	return (await tokens.pending).value;
}

/** What this process knows of the tokens of a credential. */
export function tokensOf(credentials: Credentials): Tokens {
	const { authBaseUrl, clientId, clientSecret, audience } = credentials;
	const parts = JSON.stringify([authBaseUrl, clientId, clientSecret, audience]);
	const account = createHash('sha256').update(parts).digest('hex');
	const tokens = tokensByAccount.get(account) ?? { latest: [] };
	tokensByAccount.set(account, tokens);
	return tokens;
}

/** Stops handing out a token that the service refused. */
export function discardToken(credentials: Credentials, refused: string): void {
	const tokens = tokensOf(credentials);
	if (tokens.current?.value === refused) {
		tokens.current = undefined;
	}
}

/** Finds the error of {@link sharedToken} in what n8n threw: as a cause, or in older versions as a text. */
export function sharedTokenError(error: unknown): ServiceError | undefined {
	const found = causesOf(error).find((link) => link instanceof ServiceError);
	const { messages, description: hint } = isRecord(error) ? error : {};
	if (found !== undefined || !Array.isArray(messages)) {
		return found;
	}

	const message = messages.map(String).find((text) => text.startsWith(NO_TOKEN));
	return message === undefined
		? undefined
		: new ServiceError({ message, hint: stringOrEmpty(hint) });
}

/** Asks for a new token. Its ServiceError says whether the server refused it or was not reached. */
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
	const body = parseJsonOrText(text);
	if (status < 200 || status >= 300) {
		const message = serviceMessage(redactedBody(body, redactor(credentials)));
		const answer = `status ${status}${message === undefined ? '' : `, "${message}"`}`;
		return status >= 500
			? noToken(`the server has a problem (${answer})`, 'Try again later.')
			: noToken(`the server refused (${answer})`, CHECK_ACCOUNT);
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

const CHECK_ACCOUNT =
	'Check "Client ID", "Client Secret", "Audience" and "Auth Base URL" of the credential. Sandbox and production have different ones.';

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
		// Each byte of an answer restarts the timeout, and all callers wait for this request.
		abortSignal: AbortSignal.timeout(TIMEOUT_MS),
		disableFollowRedirect: true,
	};
}

const required = (value: unknown, field: string): string =>
	stringOrEmpty(value).trim() ||
	noToken(
		`the credential has no "${field}"`,
		'Enter the one that the operator of the service gave you.',
	);

function noToken(reason: string, hint: string): never {
	throw new ServiceError({ message: NO_TOKEN + reason, hint });
}
