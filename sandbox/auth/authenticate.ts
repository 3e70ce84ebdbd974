import type { MatchedOperation } from '../contract/contract';
import { HttpError } from '../shared/errors';
import type { ServiceRequest } from '../http/messages';
import type { Store } from '../store/store';
import type { Caller } from '../domain/access';
import { unauthorized, type Signer } from './signer';

const exists: Record<Caller['kind'], string> = {
	client: 'SELECT 1 FROM clients WHERE id = $id',
	user: 'SELECT 1 FROM users WHERE id = $id',
};

/**
 * Who calls, by the Authorization header.
 * @throws HttpError 401 when the token is missing, wrong, expired, or of an account that is gone
 */
export async function authenticate(
	signer: Signer,
	store: Store,
	request: ServiceRequest,
): Promise<Caller> {
	const { authorization } = request.headers;
	if (authorization === undefined) {
		throw unauthorized('The Authorization header with an access token is missing.');
	}

	const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
	if (token === undefined) {
		throw unauthorized('The Authorization header must read "Bearer" and the access token.');
	}

	const caller = await signer.verify(token);
	if (!store.has(exists[caller.kind], { id: caller.id })) {
		throw unauthorized('The account of this access token does not exist any more.');
	}

	return caller;
}

const schemes: Record<Caller['kind'], string> = {
	client: 'clientCredentials',
	user: 'authorizationCode',
};

/** @throws HttpError 403 when the contract does not admit this kind of caller */
export function authorize(caller: Caller, { operation }: MatchedOperation): void {
	const admitted = (operation.security ?? []).some((entry) => schemes[caller.kind] in entry);
	if (admitted) {
		return;
	}

	throw new HttpError(
		403,
		'user_token_required',
		'Only a user who has connected an account may call this; a client-credentials token may not.',
	);
}
