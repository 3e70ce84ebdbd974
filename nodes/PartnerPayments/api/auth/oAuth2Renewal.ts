import { NodeOperationError, UserError } from 'n8n-workflow';

import { isRecord, parseJson } from '../../shared/values';
import { ServiceError } from '../http/errors';
import { isForbidden, networkFailure } from '../http/networkFailure';
import { redactedBody, redactor } from '../http/redact';
import { serviceMessage } from '../http/serviceMessage';
import { sharedTokenError } from './accessToken';

type Credentials = Record<string, unknown>;

const RECONNECT = 'Open the credential and connect it again.';
const CHECK_ADDRESS = 'Check the Auth Base URL of the credential.';

const NO_TOKEN: Record<string, string> = {
	EAUTH: `Check the client ID and secret. ${RECONNECT}`,
	ESTATUS: CHECK_ADDRESS,
};

const NO_REFRESH_TOKEN = 'the service gave no refresh token';

const MISSING_TOKEN = [
	['OAuth access token expired and no refresh token is available', NO_REFRESH_TOKEN],
	['refreshToken is required', NO_REFRESH_TOKEN],
	['Unable to sign without access token', 'the service gave no access token'],
] as const;

/** The error for a token that was not to be had, if that is why n8n threw. */
export function tokenError(error: unknown, credentials: Credentials): ServiceError | undefined {
	const shared = sharedTokenError(error);
	if (shared !== undefined || !('oauthTokenData' in credentials)) return shared;
	return renewalError(error, credentials);
}

/**
 * Tells a token of a connected account that n8n could not renew from a request that failed. n8n
 * renews a token only after the service has refused the request with 401: nothing has happened then.
 * Any other error may be of the request itself, which the service may have carried out.
 */
export function renewalError(error: unknown, credentials: Credentials): ServiceError | undefined {
	if (isForbidden(error)) return undefined;
	const links = causes(error);
	const known = links.find(
		(link) => link instanceof UserError || link instanceof NodeOperationError,
	);
	if (known !== undefined) return notAccepted(known.message, RECONNECT);
	const failure = links
		.map((link) => refusal(link, credentials) ?? outage(link, credentials) ?? missingToken(link))
		.find(Boolean);
	return failure && notRenewed(failure);
}

/** The error for an authentication server that nobody reached while a token was renewed. */
export const outageError = (error: unknown): ServiceError => notRenewed(unreachable(error));

interface Failure {
	reason: string;
	hint: string;
}

function refusal(link: Error, credentials: Credentials): Failure | undefined {
	const { code, body, status } = fields(link);
	const hint = typeof code === 'string' ? NO_TOKEN[code] : undefined;
	if (hint === undefined) return undefined;
	const answer = redactedBody(
		typeof body === 'string' ? parseJson(body) : body,
		redactor(credentials),
	);
	const message = serviceMessage(answer);
	const answered = message === undefined ? 'without a token' : `"${message}"`;
	const statusText = typeof status === 'number' ? ` (status ${status})` : '';
	return { reason: `the authentication server answered ${answered}${statusText}`, hint };
}

function outage(link: Error, { accessTokenUrl }: Credentials): Failure | undefined {
	const { config, status } = fields(link);
	const isFailing = typeof status === 'number' && status >= 500;
	// Of the service itself n8n throws no such status here.
	if (isRecord(config) ? config.url !== accessTokenUrl : !isFailing) return undefined;
	if (typeof status !== 'number') return unreachable(link);
	const reason = `the authentication server has a problem of its own (status ${status})`;
	return { reason, hint: 'Try again later.' };
}

const unreachable = (error: unknown): Failure => ({
	reason: `the authentication server cannot be reached, ${networkFailure(error).reason}`,
	hint: CHECK_ADDRESS,
});

/** Nothing of a request hangs on these errors: only what they say tells that there was no token. */
function missingToken({ message }: Error): Failure | undefined {
	const reason = MISSING_TOKEN.find(([said]) => message.startsWith(said))?.[1];
	return reason === undefined ? undefined : { reason, hint: RECONNECT };
}

const notRenewed = ({ reason, hint }: Failure): ServiceError =>
	notAccepted(`The access token has expired and could not be renewed: ${reason}`, hint);

const notAccepted = (message: string, hint: string): ServiceError =>
	new ServiceError({ message, hint: `${hint} The service did not take this request.` });

/** What hangs on an error. Where earlier versions of n8n kept no cause, they kept its code or status and its text. */
function fields(link: Error): Record<string, unknown> {
	const own: Record<string, unknown> = Object.fromEntries(Object.entries(link));
	const { httpCode, messages } = own;
	if (link.cause !== undefined || typeof httpCode !== 'string') return own;
	const status = Number(httpCode);
	const body: unknown = Array.isArray(messages) ? messages[0] : undefined;
	return { ...own, body, ...(Number.isNaN(status) ? { code: httpCode } : { status }) };
}

function causes(error: unknown): Error[] {
	return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
