import { isRecord } from '../api/responseReaders';
import { issuedTokens } from './accessToken';

/**
 * The access token that requests of a credential go out with; undefined before there is one.
 *
 * @param credentials as they were when the node connected, which may be before a renewal
 * @param authorization the header of the latest request, where n8n has shown it
 */
export function tokenInUse(credentials: Record<string, unknown>, authorization: unknown): unknown {
	const { accessToken, oauthTokenData } = credentials;
	const [issued] = issuedTokens(credentials).slice(-1);
	if (issued !== undefined) return issued;
	if (typeof authorization === 'string') return authorization.replace(/^Bearer\s+/i, '');
	if (isRecord(oauthTokenData)) return oauthTokenData.access_token;
	return accessToken === '' ? undefined : accessToken;
}
