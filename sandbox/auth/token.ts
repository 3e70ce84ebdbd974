import { inject } from 'light-my-request';
import type Provider from 'oidc-provider';
import type { components } from '../../contract/service';
import { HttpError } from '../shared/errors';
import { parseJson } from '../http/body';
import { mediaType, type ServiceResponse, type ServiceRequest } from '../http/messages';
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

type Fields = Record<string, unknown>;
type Grant = (issuer: TokenIssuer, fields: Fields) => Promise<Token>;

/** The three request shapes of the token endpoint, by grant_type. */
const grants = new Map<string, Grant>([
	['client_credentials', clientCredentials],
	['authorization_code', userGrant(['code', 'redirect_uri'])],
	['refresh_token', userGrant(['refresh_token'])],
]);

/**
 * Answers POST /oauth/token.
 * @throws HttpError whose code is the error code of RFC 6749
 */
export async function requestToken(
	issuer: TokenIssuer,
	request: ServiceRequest,
): Promise<ServiceResponse> {
	const fields = readFields(issuer, request);
	const grantType = text(fields, 'grant_type');
	if (grantType === undefined) throw missing(['grant_type']);
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
	const [clientId, clientSecret, audience] = required(fields, [
		'client_id',
		'client_secret',
		'audience',
	]);
	if (!authenticateClient(issuer.network.store, clientId, clientSecret)) {
		throw invalidClient(findApplication(issuer.network.store, clientId) !== undefined, 'users');
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
		const [clientId, clientSecret] = required(fields, ['client_id', 'client_secret', ...names]);
		const application = authenticateApplication(issuer.network.store, clientId, clientSecret);
		if (application === undefined) {
			throw invalidClient(
				authenticateClient(issuer.network.store, clientId, clientSecret),
				'itself',
			);
		}
		const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string');
		const form = new URLSearchParams({
			...(Object.fromEntries(texts) as Record<string, string>),
			client_secret: application.secretDigest,
		});
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
	const isRenewal = form.get('grant_type') === 'refresh_token';
	const withheld = isRenewal && network.settings.values.refreshTokens === 'kept';
	return {
		access_token: body.access_token,
		token_type: 'Bearer',
		expires_in: TOKEN_LIFETIME_SECONDS,
		...(body.id_token !== undefined && { id_token: body.id_token }),
		...(body.refresh_token !== undefined && !withheld && { refresh_token: body.refresh_token }),
	};
}

/** @param hasOtherKind whether it is a client all the same, one that acts for `who` only */
const invalidClient = (hasOtherKind: boolean, who: string): HttpError =>
	hasOtherKind
		? new HttpError(400, 'unauthorized_client', `This client acts for ${who} only.`)
		: new HttpError(401, 'invalid_client', 'The client id or the client secret is wrong.');

const readers = new Map<string, (body: Buffer) => Fields>([
	['application/json', parseJson],
	[
		'application/x-www-form-urlencoded',
		(body) => Object.fromEntries(new URLSearchParams(body.toString('utf8'))),
	],
]);

function readFields({ network }: TokenIssuer, request: ServiceRequest): Fields {
	const { strictJson } = network.settings.values;
	const type = mediaType(request);
	const read = readers.get(type);
	if (read === undefined || (strictJson && type !== 'application/json')) {
		const accepted = strictJson
			? 'application/json'
			: 'application/json or application/x-www-form-urlencoded';
		throw new HttpError(
			415,
			'invalid_request',
			`The token request must be sent as ${accepted}, not as ${type === '' ? 'nothing in particular' : type}.`,
		);
	}
	try {
		return read(request.body);
	} catch (error) {
		// The token endpoint has error codes of its own.
		if (error instanceof HttpError) throw new HttpError(400, 'invalid_request', error.message);
		throw error;
	}
}

const text = (fields: Fields, name: string): string | undefined => {
	const value = fields[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
};

function required<const N extends readonly string[]>(
	fields: Fields,
	names: N,
): { [K in keyof N]: string } {
	const values = names.map((name) => text(fields, name));
	const absent = names.filter((_, index) => values[index] === undefined);
	if (absent.length > 0) throw missing(absent);
	// The line above has refused every undefined, which the type of a mapped list cannot know.
	return values as unknown as { [K in keyof N]: string };
}

const missing = (names: string[]): HttpError =>
	new HttpError(400, 'invalid_request', `The token request lacks ${names.join(', ')}.`);
