import { NodeOperationError, UserError } from 'n8n-workflow';

import { isRecord, parseJson } from '../../shared/values';
import { ServiceError } from '../http/errors';
import { causesOf, isForbidden, networkFailure } from '../http/networkFailure';
import type { AttemptResult } from '../http/outcome';
import { redactedBody, redactor } from '../http/redact';
import { serviceMessage } from '../http/serviceMessage';
import { sharedTokenError } from './accessToken';
import { withSignals, type Session } from './credentials';

type Credentials = Record<string, unknown>;

/** How n8n's messages begin when it has no token to send, or to renew. */
const MISSING_TOKEN =
	/^(?:OAuth access token expired and no refresh token|refreshToken is required|Unable to sign without access token)/;

/** The error for a token that was not to be had, if that is why n8n threw. */
export const tokenError = (error: unknown, credentials: Credentials): ServiceError | undefined =>
	sharedTokenError(error) ??
	('oauthTokenData' in credentials ? renewalError(error, credentials) : undefined);

/**
 * Finds out whether n8n could not renew the token of a connected account, or the request failed. n8n
 * renews a token only after the service has refused the request with 401: nothing has happened then.
 * Any other error may be of the request itself, which the service may have carried out.
 */
export function renewalError(error: unknown, credentials: Credentials): ServiceError | undefined {
	if (isForbidden(error)) return undefined;
	const links = causesOf(error);
	const known = links.find(
		(link) => link instanceof UserError || link instanceof NodeOperationError,
	);
	if (known !== undefined) return notRenewed(known.message);
	const reason = links.map((link) => reasonOf(link, credentials)).find(Boolean);
	return reason === undefined ? undefined : notRenewed(reason);
}

function reasonOf(link: Record<string, unknown>, credentials: Credentials): string | undefined {
	if (MISSING_TOKEN.test(String(link.message))) return 'the service gave no token to renew it with';
	const { code, config, status, body } = details(link);
	const isRefused = code === 'EAUTH' || code === 'ESTATUS';
	// n8n throws no status above 499 of the service itself.
	const isOutage = isRecord(config)
		? config.url === credentials.accessTokenUrl
		: typeof status === 'number' && status >= 500;
	if (!isRefused && !isOutage) return undefined;
	if (!isRefused && status === undefined) return unreachable(link);
	const answer = redactedBody(
		typeof body === 'string' ? parseJson(body) : body,
		redactor(credentials),
	);
	const said = serviceMessage(answer);
	const statusText = typeof status === 'number' ? ` (status ${status})` : '';
	return `the authentication server answered ${said === undefined ? 'without a token' : `"${said}"`}${statusText}`;
}

const unreachable = (error: unknown): string =>
	`the authentication server cannot be reached, ${networkFailure(error).reason}`;

/** Where earlier versions of n8n kept no cause, they kept its code or status and its text. */
function details(link: Record<string, unknown>): Record<string, unknown> {
	const { cause, httpCode, messages } = link;
	if (cause !== undefined || typeof httpCode !== 'string') return link;
	const status = Number(httpCode);
	const body: unknown = Array.isArray(messages) ? messages[0] : undefined;
	return { body, ...(Number.isNaN(status) ? { code: httpCode } : { status }) };
}

const notRenewed = (reason: string): ServiceError =>
	new ServiceError({
		message: `The access token has expired and could not be renewed: ${reason}`,
		hint: 'Check "Client ID", "Client Secret" and "Auth Base URL" of the credential, and connect it again. The service did not take this request.',
	});

const TIMEOUT_MS = 30_000;
const pending = new Map<string, Promise<unknown>>();

/** Whether the service refused the token. Before n8n 2.9, n8n hands that over instead of renewing it. */
export const isRefused = (result: AttemptResult): boolean =>
	'status' in result && result.status === 401;

/** Has n8n renew the token, and sends a request again that the service refused for it. */
export async function sendRenewed(
	session: Session,
	send: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
	const { n8n, credentialType, credentials } = session;
	const id = n8n.getNode().credentials?.[credentialType]?.id ?? credentialType;
	// All requests share a renewal: a refresh token may serve only once.
	const renewal = pending.get(id) ?? renew(session).finally(() => pending.delete(id));
	pending.set(id, renewal);
	const failure = await renewal;
	const result = await send();
	if (!isRefused(result)) return result;
	const error = tokenError(failure, credentials);
	if (error !== undefined) throw error;
	// The service itself was reached.
	const isConnected = 'oauthTokenData' in credentials;
	if (isConnected && networkFailure(failure).neverSent) throw notRenewed(unreachable(failure));
	return result;
}

/**
 * Asks for the user, which changes nothing, with every refusal thrown, as n8n needs it to renew a token.
 * Client credentials belong to no user, so that this fails for them also with a new token.
 */
async function renew({ n8n, credentialType, root }: Session): Promise<unknown> {
	// Others wait for it as well, so that stopping this execution must not end it.
	const sender = withSignals(n8n, AbortSignal.timeout(TIMEOUT_MS));
	const request = n8n.helpers.httpRequestWithAuthentication.call(sender, credentialType, {
		method: 'GET',
		url: `${root}/user/current`,
		headers: { Accept: 'application/json' },
		disableFollowRedirect: true,
		timeout: TIMEOUT_MS,
	});
	return await request.then(
		() => undefined,
		(error: unknown) => error,
	);
}
