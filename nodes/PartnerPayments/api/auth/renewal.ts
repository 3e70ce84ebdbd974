import { NodeOperationError, UserError, type IDataObject } from 'n8n-workflow';

import { abortable } from '../../shared/concurrency';
import { parseJsonOrText } from '../../shared/json';
import { isRecord, stringOrEmpty } from '../../shared/typeGuards';
import { ServiceError } from '../http/errors';
import { causesOf, isForbidden, networkFailure } from '../http/networkFailure';
import { redactedBody, redactor } from '../http/redact';
import { serviceMessage } from '../http/serviceMessage';
import { discardToken, sharedTokenError, tokensOf } from './accessToken';
import { withSignals, type Session } from './credentials';

type Credentials = Record<string, unknown>;

const REQUEST_TIMEOUT_MS = 30_000;
/** n8n sets no time limit for a token, and all requests of the credential wait for it. */
const RENEWAL_TIMEOUT_MS = 60_000;

/** How a renewal has ended. `failure`: what n8n threw, if it did; the token may be renewed even then. */
export interface Renewal {
	failure?: unknown;
}

/** The renewals under way in this process, by the ID of their credential. */
const pending = new Map<string, Promise<Renewal>>();

/**
 * Has n8n renew and store a token that the service has refused. Requests that come meanwhile share the
 * renewal, since a refresh token may work only once.
 */
export async function renewToken(session: Session): Promise<Renewal> {
	const { n8n, credentialType } = session;
	const id = n8n.getNode().credentials?.[credentialType]?.id ?? credentialType;

	const underWay = pending.get(id);
	if (underWay !== undefined) {
		return await underWay;
	}

	const renewal = renew(session).finally(() => pending.delete(id));
	pending.set(id, renewal);
	return await renewal;
}

async function renew(session: Session): Promise<Renewal> {
	const { credentials } = session;
	const own = tokensOf(credentials).current?.value;
	const first = await askForUser(session);
	if (own === undefined || first.refusedToken !== own) {
		return first;
	}

	// Another process had stored a token that was refused. n8n replaced it by this process's, which is
	// refused as well.
	return await askForUser(session);
}

/**
 * Asks for the user, which changes nothing, and lets n8n see a refusal: it then renews the token,
 * stores it, and asks again. Client credentials belong to no user, so this fails even with a new token.
 *
 * @returns `refusedToken`: that of the last try, if it was refused, too
 */
async function askForUser({
	n8n,
	credentialType,
	credentials,
	root,
}: Session): Promise<Renewal & { refusedToken?: string }> {
	// n8n writes the token into this object; it is read back below.
	const headers: IDataObject = { Accept: 'application/json', 'Accept-Encoding': 'identity' };
	// Other executions wait for it, so stopping this one must not end it.
	const sender = withSignals(n8n, AbortSignal.timeout(REQUEST_TIMEOUT_MS));
	const asking = n8n.helpers.httpRequestWithAuthentication.call(sender, credentialType, {
		method: 'GET',
		url: `${root}/user/current`,
		headers,
		disableFollowRedirect: true,
		timeout: REQUEST_TIMEOUT_MS,
	});

	const failure: unknown = await abortable(asking, AbortSignal.timeout(RENEWAL_TIMEOUT_MS)).then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!isTokenRefusal(failure)) {
		return { failure };
	}

	const refusedToken = tokenIn(headers);
	discardToken(credentials, refusedToken);
	return { failure, refusedToken };
}

/** Some versions of n8n keep the answer in the error, others only its status. */
const isTokenRefusal = (thrown: unknown): boolean =>
	causesOf(thrown).some(({ response, httpCode }) => {
		const status = isRecord(response) ? response.status : httpCode;
		return Number(status) === 401;
	});

/** The token of a request that n8n has sent; empty when it had none. */
export const tokenIn = ({ Authorization: value }: IDataObject): string =>
	typeof value === 'string' ? value.replace('Bearer ', '') : '';

/** How n8n's messages begin when it has no token to send, or to renew. */
const MISSING_TOKEN =
	/^(?:OAuth access token expired and no refresh token|refreshToken is required|Unable to sign without access token)/;

/** The error for a request that n8n did not send because it had no token; undefined if that was not why. */
export function missingTokenError(
	thrown: unknown,
	credentials: Credentials,
): ServiceError | undefined {
	const shared = sharedTokenError(thrown);
	if (shared !== undefined) {
		const { message, hint } = shared;
		return new ServiceError({ message, hint: `This request was not sent. ${hint}` });
	}

	const reason = isConnected(credentials) ? missingTokenReason(thrown) : undefined;
	return reason === undefined ? undefined : new ServiceError(notRenewed(reason));
}

/**
 * The error for a request whose token was refused and could not be renewed, so that nothing has
 * happened.
 *
 * @param thrown the failure of {@link renewToken}
 * @returns undefined when nothing shows that there is no new token
 */
export function renewalError(thrown: unknown, credentials: Credentials): ServiceError | undefined {
	const refused = { outcome: 'refused', failureKind: 'denied', status: 401 } as const;
	const shared = sharedTokenError(thrown);
	if (shared !== undefined) {
		const { message } = shared;
		const hint = `The service did not take this request. ${shared.hint}`;
		return new ServiceError({ message, hint, ...refused });
	}

	const reason = isConnected(credentials) ? renewalReason(thrown, credentials) : undefined;
	return reason === undefined ? undefined : new ServiceError({ ...notRenewed(reason), ...refused });
}

/** Whether a person has connected an account, whose tokens n8n itself renews. */
const isConnected = (credentials: Credentials): boolean => 'oauthTokenData' in credentials;

const notRenewed = (reason: string) => ({
	message: `The access token has expired and could not be renewed: ${reason}`,
	hint: 'Check "Client ID", "Client Secret" and "Auth Base URL" of the credential, and connect it again. The service did not take this request.',
});

function missingTokenReason(thrown: unknown): string | undefined {
	if (isForbidden(thrown)) {
		return undefined;
	}

	const links = causesOf(thrown);
	const known = links.find(
		(link) => link instanceof UserError || link instanceof NodeOperationError,
	);
	if (known !== undefined) {
		return known.message;
	}

	const isMissing = links.some(({ message }) => MISSING_TOKEN.test(stringOrEmpty(message)));
	return isMissing ? 'the service gave no token to renew it with' : undefined;
}

function renewalReason(thrown: unknown, credentials: Credentials): string | undefined {
	const missing = missingTokenReason(thrown);
	if (missing !== undefined) {
		return missing;
	}

	for (const link of causesOf(thrown)) {
		const reason = serverReason(link, credentials);
		if (reason !== undefined) {
			return reason;
		}
	}

	// The service itself was reached, since it refused the token.
	return networkFailure(thrown).neverSent ? unreachable(thrown) : undefined;
}

/**
 * What the authentication server answered, or why it did not; undefined for an error about another
 * server.
 */
function serverReason(link: Record<string, unknown>, credentials: Credentials): string | undefined {
	const { code, config, status, body } = details(link);
	const isRefused = code === 'EAUTH' || code === 'ESTATUS';
	// The service has answered 401 before a renewal, so a 5xx without a request is the authentication server's.
	const isOfServer = isRecord(config)
		? config.url === credentials.accessTokenUrl
		: typeof status === 'number' && status >= 500;
	if (!isRefused && !isOfServer) {
		return undefined;
	}

	if (!isRefused && status === undefined) {
		return unreachable(link);
	}

	const answer = typeof body === 'string' ? parseJsonOrText(body) : body;
	const said = serviceMessage(redactedBody(answer, redactor(credentials)));
	const saidText = said === undefined ? 'without a token' : `"${said}"`;
	const statusText = typeof status === 'number' ? ` (status ${status})` : '';
	return `the authentication server answered ${saidText}${statusText}`;
}

const unreachable = (error: unknown): string =>
	`the authentication server cannot be reached, ${networkFailure(error).reason}`;

/** Older versions of n8n keep no cause, only its code or status and its text. */
function details(link: Record<string, unknown>): Record<string, unknown> {
	const { cause, httpCode, messages } = link;
	if (cause !== undefined || typeof httpCode !== 'string') {
		return link;
	}

	const status = Number(httpCode);
	const body: unknown = Array.isArray(messages) ? messages[0] : undefined;
	return Number.isNaN(status) ? { body, code: httpCode } : { body, status };
}
