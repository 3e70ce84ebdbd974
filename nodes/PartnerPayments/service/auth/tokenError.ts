import type { ServiceError } from '../http/errors';
import { sharedTokenError } from './accessToken';
import { renewalError } from './oAuth2Renewal';

/** The error for a token that was not to be had, if that is why n8n threw. */
export function tokenError(
	error: unknown,
	credentials: Record<string, unknown>,
): ServiceError | undefined {
	const shared = sharedTokenError(error);
	if (shared !== undefined || !('oauthTokenData' in credentials)) return shared;
	return renewalError(error, credentials);
}
