import { inject } from 'light-my-request';
import type Provider from 'oidc-provider';
import type { components } from '../../contract/service';
import { HttpError } from '../shared/errors';
import { readBody, type BodyType } from '../http/body';
import type { ServiceResponse, ServiceRequest } from '../http/messages';
import type { Network } from '../network/network';
import { authenticateApplication, findApplication } from '../domain/applications';
import { authenticateClient } from '../domain/clients';
import { TOKEN_LIFETIME_SECONDS, type Signer } from './signer';

type Token = components['schemas']['Token'];

export interface TokenIssuer {
	network: Network;
	signer: Signer;
	provider: () => Provider;
	audience: string;
}

/** The fields of a request that are texts and not empty. */
type Fields = Partial<Record<string, string>>;
type Grant = (issuer: TokenIssuer, fields: Fields) => Promise<Token>;

/** The three request shapes of the token endpoint, by grant_type. */
const grants = new Map<string, Grant>([
	['client_credentials', clientCredentials],
	['authorization_code', userGrant(['code', 'redirect_uri'])],
	['refresh_token', userGrant(['refresh_token'])],
]);

/** @throws HttpError whose code is the error code of RFC 6749 */
export async function requestToken(
	issuer: TokenIssuer,
	request: ServiceRequest,
): Promise<ServiceResponse> {
	const fields = readFields(issuer, request);
	checkFields(fields, 'grant_type');

	const { grant_type: grantType = '' } = fields;
	const grant = grants.get(grantType);
	if (grant === undefined) {
		throw new HttpError(
			400,
			'unsupported_grant_type',
			`This sandbox does not issue tokens for the grant type ${JSON.stringify(grantType.slice(0, 80))}.`,
		);
	}

	return {
		status: 200,
		headers: { 'cache-control': 'no-store' },
		body: await grant(issuer, fields),
	};
}

async function clientCredentials(issuer: TokenIssuer, fields: Fields): Promise<Token> {
	checkFields(fields, 'client_id', 'client_secret', 'audience');

	const { client_id: clientId = '', client_secret: clientSecret = '', audience } = fields;
	if (!authenticateClient(issuer.network.store, clientId, clientSecret)) {
		const isApplication = findApplication(issuer.network.store, clientId) !== undefined;
		throw invalidClient(isApplication, 'users');
	}

	if (audience !== issuer.audience) {
		throw new HttpError(
			403,
			'access_denied',
			`The audience is not the one of this environment, which is ${issuer.audience}.`,
		);
	}

	return {
		access_token: await issuer.signer.issue({ kind: 'client', id: clientId }),
		token_type: 'Bearer',
		expires_in: TOKEN_LIFETIME_SECONDS,
	};
}

/** A grant that the identity provider knows; `names` are the fields it needs beside the client's. */
function userGrant(names: string[]): Grant {
	return async (issuer, fields) => {
		checkFields(fields, 'client_id', 'client_secret', ...names);

		const { client_id: clientId = '', client_secret: clientSecret = '' } = fields;
		const application = authenticateApplication(issuer.network.store, clientId, clientSecret);
		if (application === undefined) {
			const isClient = authenticateClient(issuer.network.store, clientId, clientSecret);
			throw invalidClient(isClient, 'itself');
		}

		const form = new URLSearchParams({ ...fields, client_secret: application.secretDigest });
		return await requestFromProvider(issuer, form);
	};
}

/** Sends a token request to the identity provider, which accepts forms only. */
async function requestFromProvider(
	{ network, provider }: TokenIssuer,
	form: URLSearchParams,
): Promise<Token> {
	const handle = provider().callback();
	const answer = await inject((request, response) => void handle(request, response), {
		method: 'POST',
		url: '/oauth/token',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		payload: form.toString(),
	});

	const body = answer.json<Partial<Token> & { error?: string; error_description?: string }>();
	if (answer.statusCode !== 200 || body.access_token === undefined) {
		throw new HttpError(
			answer.statusCode,
			body.error ?? 'server_error',
			`The identity provider says: ${body.error_description ?? 'nothing more'}.`,
		);
	}

	const token: Token = {
		access_token: body.access_token,
		token_type: 'Bearer',
		expires_in: TOKEN_LIFETIME_SECONDS,
	};
	if (body.id_token !== undefined) {
		token.id_token = body.id_token;
	}

	const isRenewal = form.get('grant_type') === 'refresh_token';
	const isWithheld = isRenewal && network.settings.values.refreshTokens === 'kept';
	if (body.refresh_token !== undefined && !isWithheld) {
		token.refresh_token = body.refresh_token;
	}

	return token;
}

/** @param hasOtherKind whether it is a client all the same, one that acts for `who` only */
const invalidClient = (hasOtherKind: boolean, who: string): HttpError =>
	hasOtherKind
		? new HttpError(400, 'unauthorized_client', `This client acts for ${who} only.`)
		: new HttpError(401, 'invalid_client', 'The client id or the client secret is wrong.');

function readFields({ network }: TokenIssuer, request: ServiceRequest): Fields {
	const types: BodyType[] = ['application/json'];
	if (!network.settings.values.strictJson) {
		types.push('application/x-www-form-urlencoded');
	}

	try {
		const fields = readBody(request, ...types);
		return Object.fromEntries(
			Object.entries(fields).filter(
				(field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
			),
		);
	} catch (error) {
		// The token endpoint has error codes of its own.
		if (error instanceof HttpError) {
			throw new HttpError(error.status, 'invalid_request', error.message);
		}

		throw error;
	}
}

function checkFields(fields: Fields, ...names: string[]): void {
	const absent = names.filter((name) => fields[name] === undefined);
	if (absent.length === 0) {
		return;
	}

	const message = `The token request lacks ${absent.join(', ')}.`;
	throw new HttpError(400, 'invalid_request', message);
}
