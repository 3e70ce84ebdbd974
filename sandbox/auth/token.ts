import type { components } from '../../contract/service';
import { Refusal } from '../errors';
import { parseJson } from '../http/body';
import { mediaType, type Answer, type Call } from '../http/exchange';
import type { Store } from '../store/store';
import { isClient } from './clients';
import { TOKEN_LIFETIME, type Signer } from './signer';

type Token = components['schemas']['Token'];

/** What the token endpoint works with. */
export interface TokenIssuer {
	store: Store;
	signer: Signer;
	audience: string;
	/** Refuse bodies that are no JSON. */
	strictJson: boolean;
}

type Fields = Record<string, unknown>;
type Grant = (issuer: TokenIssuer, fields: Fields) => Promise<Token>;

/**
 * The request shapes of the token endpoint, by grant_type. `authorization_code` and
 * `refresh_token` belong here as soon as there is an identity provider to ask.
 */
const grants = new Map<string, Grant>([['client_credentials', clientCredentials]]);

/**
 * Answers POST /oauth/token.
 * @throws Refusal whose code is the error code of RFC 6749
 */
export async function requestToken(issuer: TokenIssuer, call: Call): Promise<Answer> {
	const fields = readFields(issuer, call);
	const grantType = text(fields, 'grant_type');
	if (grantType === undefined) throw missing(['grant_type']);
	const grant = grants.get(grantType);
	if (grant === undefined) {
		throw new Refusal(
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
	if (!isClient(issuer.store, clientId, clientSecret)) {
		throw new Refusal(401, 'invalid_client', 'The client id or the client secret is wrong.');
	}
	if (audience !== issuer.audience) {
		throw new Refusal(
			403,
			'access_denied',
			`The audience is not the one of this environment, which is ${issuer.audience}.`,
		);
	}
	return {
		access_token: await issuer.signer.issue({ kind: 'client', id: clientId }),
		token_type: 'Bearer',
		expires_in: TOKEN_LIFETIME,
	};
}

const readers = new Map<string, (body: Buffer) => Fields>([
	['application/json', parseJson],
	[
		'application/x-www-form-urlencoded',
		(body) => Object.fromEntries(new URLSearchParams(body.toString('utf8'))),
	],
]);

function readFields({ strictJson }: TokenIssuer, call: Call): Fields {
	const type = mediaType(call);
	const read = readers.get(type);
	if (read === undefined || (strictJson && type !== 'application/json')) {
		const accepted = strictJson
			? 'application/json'
			: 'application/json or application/x-www-form-urlencoded';
		throw new Refusal(
			415,
			'invalid_request',
			`The token request must be sent as ${accepted}, not as ${type === '' ? 'nothing in particular' : type}.`,
		);
	}
	try {
		return read(call.body);
	} catch (error) {
		// The token endpoint has error codes of its own.
		if (error instanceof Refusal) throw new Refusal(400, 'invalid_request', error.message);
		throw error;
	}
}

const text = (fields: Fields, name: string): string | undefined => {
	const value = fields[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The values of the named fields, in their order. */
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

const missing = (names: string[]): Refusal =>
	new Refusal(400, 'invalid_request', `The token request lacks ${names.join(', ')}.`);
