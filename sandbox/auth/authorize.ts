import { Refusal } from '../errors';
import type { Answer } from '../http/exchange';

/**
 * Answers GET /api/oauth/authorize, whose parameters the contract has checked already.
 *
 * The identity provider belongs here: check client and redirect_uri against the registered ones,
 * then redirect the browser to the login on the authentication host, which comes back with a code
 * that `auth/token.ts` exchanges.
 * @throws Refusal 501 as long as there is no identity provider
 */
export function beginAuthorization(): Promise<Answer> {
	throw new Refusal(
		501,
		'not_implemented',
		'This sandbox has no identity provider yet. Use client credentials.',
	);
}
