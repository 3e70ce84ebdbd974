import { NodeOperationError, UserError } from 'n8n-workflow';

import { isRecord, parseJson } from '../../shared/json';
import { ServiceError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { redactedBody, redactor } from '../http/redact';
import { serviceMessage } from '../http/serviceMessage';

type Credentials = Record<string, unknown>;

const RECONNECT = 'Open the credential and connect it again.';
const CHECK_ADDRESS = 'Check the Auth Base URL of the credential.';

/** By the code that n8n's OAuth2 client gives to an answer that is no token: what to do next. */
const NO_TOKEN: Record<string, string> = {
	EAUTH: `Check the client ID and secret. ${RECONNECT}`,
	ESTATUS: CHECK_ADDRESS,
};

/**
 * Tells a token of a connected account that n8n could not renew from a request that failed. n8n
 * renews a token only after the service has refused the request with 401: nothing has happened then.
 *
 * @param error what n8n threw; its causes lead to what went wrong
 * @returns what to tell the user; undefined when it was the request itself that failed
 */
export function renewalError(error: unknown, credentials: Credentials): ServiceError | undefined {
	const links = causes(error);
	const known = links.find(
		(link) => link instanceof UserError || link instanceof NodeOperationError,
	);
	if (known !== undefined) return notAccepted(known.message, RECONNECT);
	const failure =
		links.map((link) => refusal(link, credentials) ?? outage(link, credentials)).find(Boolean) ??
		missingRefreshToken(links, credentials);
	return failure && notRenewed(failure);
}

/**
 * The same for n8n 1.x, which keeps no more of what went wrong than a code and a text.
 *
 * @param error what n8n threw while it renewed the token
 */
export function bareRenewalError(
	error: unknown,
	credentials: Credentials,
): ServiceError | undefined {
	const { httpCode, messages } = isRecord(error) ? error : {};
	const isConnected = 'oauthTokenData' in credentials;
	if (!isConnected || typeof httpCode !== 'string' || !Array.isArray(messages)) return undefined;
	const status = Number(httpCode);
	if (status >= 500) return notRenewed(failing(status));
	const hint = NO_TOKEN[httpCode];
	if (hint !== undefined) return notRenewed({ reason: answered(messages[0], credentials), hint });
	return Number.isNaN(status) ? notRenewed(unreachable(error)) : undefined;
}

interface Failure {
	reason: string;
	hint: string;
}

/** The authentication server answered, but not with a token. */
function refusal(link: Error, credentials: Credentials): Failure | undefined {
	const { code, body, status } = fields(link);
	const hint = typeof code === 'string' ? NO_TOKEN[code] : undefined;
	if (hint === undefined) return undefined;
	const statusText = typeof status === 'number' ? ` (status ${status})` : '';
	return { reason: answered(body, credentials) + statusText, hint };
}

function answered(body: unknown, credentials: Credentials): string {
	const parsed = typeof body === 'string' ? parseJson(body) : body;
	const message = serviceMessage(redactedBody(parsed, redactor(credentials)));
	const words = message === undefined ? 'without a token' : `"${message}"`;
	return `the authentication server answered ${words}`;
}

/** The authentication server failed, or did not answer. */
function outage(link: Error, { accessTokenUrl }: Credentials): Failure | undefined {
	const { config, status } = fields(link);
	if (!isRecord(config) || config.url !== accessTokenUrl) return undefined;
	return typeof status === 'number' ? failing(status) : unreachable(link);
}

const failing = (status: number): Failure => ({
	reason: `the authentication server has a problem of its own (status ${status})`,
	hint: 'Try again later.',
});

const unreachable = (error: unknown): Failure => ({
	reason: `the authentication server cannot be reached, ${networkFailure(error).reason}`,
	hint: CHECK_ADDRESS,
});

/** n8n says this with a plain error, which nothing of a request hangs on. */
function missingRefreshToken(links: Error[], { oauthTokenData }: Credentials) {
	const wasAsked = links.some(
		(link) => 'code' in link || 'response' in link || fields(link).httpCode,
	);
	if (wasAsked || (isRecord(oauthTokenData) && oauthTokenData.refresh_token)) return undefined;
	return { reason: 'the service gave no refresh token', hint: RECONNECT };
}

const notRenewed = ({ reason, hint }: Failure): ServiceError =>
	notAccepted(`The access token has expired and could not be renewed: ${reason}`, hint);

const notAccepted = (message: string, hint: string): ServiceError =>
	new ServiceError({ message, hint: `${hint} The service did not take this request.` });

const fields = (link: Error): Record<string, unknown> => Object.fromEntries(Object.entries(link));

function causes(error: unknown): Error[] {
	return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
