import { networkFailure } from '../http/networkFailure';
import type { AttemptResult } from '../http/outcome';
import { withSignals, type Session } from './credentials';
import { outageError, tokenError } from './oAuth2Renewal';

/*
 * n8n before 2.9 hands over a 401 as an answer when only other statuses are to be ignored, so that it
 * renews no token. It does so after a request whose every refusal it throws.
 */

const TIMEOUT_MS = 30_000;

const pending = new Map<string, Promise<unknown>>();

/** Whether n8n handed over the refusal of a token, instead of renewing it. */
export const isUnrenewed = (result: AttemptResult): boolean =>
	'status' in result && result.status === 401;

/** Has n8n renew the token, and sends a request again that the service refused for it. */
export async function sendRenewed(
	session: Session,
	send: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
	const failure = await renewForAll(session);
	const result = await send();
	if (!isUnrenewed(result)) return result;
	const { credentials } = session;
	const error = tokenError(failure, credentials);
	if (error !== undefined) throw error;
	// The service itself was reached.
	const isConnected = 'oauthTokenData' in credentials;
	if (isConnected && networkFailure(failure).neverSent) throw outageError(failure);
	return result;
}

/** Whoever comes meanwhile waits for the same renewal: a refresh token may serve only once. */
async function renewForAll(session: Session): Promise<unknown> {
	const { n8n, credentialType } = session;
	const id = n8n.getNode().credentials?.[credentialType]?.id ?? credentialType;
	const renewal = pending.get(id) ?? renew(session).finally(() => pending.delete(id));
	pending.set(id, renewal);
	return await renewal;
}

/**
 * Asks for the user, which changes nothing. Client credentials belong to none: that their request is
 * thrown does not mean that their token was not renewed.
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
