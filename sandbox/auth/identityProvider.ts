import Provider, { errors, type Account, type Configuration } from 'oidc-provider';
import type { Clock } from '../store/clock';
import { findUser } from '../domain/users';
import type { Network } from '../network/network';
import { html } from '../ui/page';
import { SignInFailed } from './signInFailed';
import { digest } from '../shared/secrets';
import { storeAdapter } from './adapter';
import { ALGORITHM, TOKEN_LIFETIME_SECONDS, type Signer } from './signer';

/** The scope of an authorization that names none. */
export const DEFAULT_SCOPE = 'openid profile email';

export interface IdentityContext {
	network: Network;
	clock: Clock;
	signer: Signer;
	audience: string;
	/** The authentication host, for example `http://localhost:7298`. */
	origin: () => string;
	/** Whether requests come through a proxy that says in its headers what the browser asked for. */
	isBehindProxy: boolean;
	reportError: (text: string) => void;
}

const REFRESH_TOKEN_LIFETIME_SECONDS = 30 * TOKEN_LIFETIME_SECONDS;
const SIGN_IN_LIFETIME_SECONDS = 3_600;

/** Where a person signs in and consents, on the authentication host. */
export const SIGN_IN = '/sign-in';

const CLAIMS = {
	openid: ['sub'],
	profile: ['name', 'given_name', 'family_name'],
	email: ['email', 'email_verified'],
};

const LIFETIMES = {
	AccessToken: TOKEN_LIFETIME_SECONDS,
	AuthorizationCode: 60,
	Grant: REFRESH_TOKEN_LIFETIME_SECONDS,
	IdToken: SIGN_IN_LIFETIME_SECONDS,
	Interaction: SIGN_IN_LIFETIME_SECONDS,
	RefreshToken: REFRESH_TOKEN_LIFETIME_SECONDS,
	Session: SIGN_IN_LIFETIME_SECONDS,
};

/** Makes the identity provider: OpenID Connect by the certified library, with this sandbox's users. */
export function identityProvider(context: IdentityContext): Provider {
	const provider = new Provider(context.origin(), configurationOf(context));
	provider.proxy = context.isBehindProxy;
	provider.on('server_error', (_context, error) => {
		context.reportError(error.stack ?? error.message);
	});

	return provider;
}

function configurationOf(context: IdentityContext): Configuration {
	const { network, clock, signer, audience } = context;
	return {
		adapter: storeAdapter(network.store, clock),
		jwks: { keys: [{ ...signer.jwk, use: 'sig', alg: ALGORITHM }] },
		cookies: { keys: [digest(JSON.stringify(signer.jwk))] },
		routes: { authorization: '/authorize', token: '/oauth/token' },
		responseTypes: ['code'],
		clientAuthMethods: ['client_secret_post'],
		pkce: { required: () => false },
		scopes: DEFAULT_SCOPE.split(' '),
		claims: CLAIMS,
		// The token tells who the user is, since nothing else of this provider is called.
		conformIdTokenClaims: false,
		findAccount: (_context, id) => accountOf(network, id),
		issueRefreshToken: () => true,
		// An application works on when the person has left.
		expiresWithSession: () => false,
		rotateRefreshToken: () => network.settings.values.refreshTokens === 'rotated',
		// Every connection is a separate grant, which can be revoked separately.
		loadExistingGrant: async ({ oidc }) => {
			const grantId = oidc.result?.consent?.grantId;
			return grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId);
		},
		interactions: { url: (_context, { uid }) => `${SIGN_IN}/${uid}` },
		extraParams: {
			audience: (_context, value) => {
				if (value !== undefined && value !== audience) {
					throw new errors.InvalidTarget(`the audience of this environment is ${audience}`);
				}
			},
		},
		features: {
			devInteractions: { enabled: false },
			pushedAuthorizationRequests: { enabled: false },
			rpInitiatedLogout: { enabled: false },
			userinfo: { enabled: false },
			resourceIndicators: {
				enabled: true,
				defaultResource: () => audience,
				useGrantedResource: () => true,
				getResourceServerInfo: () => ({
					scope: '',
					audience,
					accessTokenTTL: TOKEN_LIFETIME_SECONDS,
					accessTokenFormat: 'jwt',
					jwt: { sign: { alg: ALGORITHM } },
				}),
			},
		},
		formats: {
			customizers: {
				// Valid by the sandbox's clock, and only until the grant is revoked.
				jwt: (_context, token, { payload }) => {
					const grant = 'grantId' in token ? token.grantId : undefined;
					Object.assign(payload, signer.claims('user'), { grant });
				},
			},
		},
		ttl: LIFETIMES,
		renderError: (page, { error, error_description }) => {
			page.type = 'html';
			page.body = html(SignInFailed({ reason: error_description ?? error }));
		},
	};
}

/** What the identity provider says of itself (OpenID Connect Discovery, RFC 8414), as it is. */
export const discovery = (apiOrigin: string, authOrigin: string) => ({
	issuer: authOrigin,
	authorization_endpoint: `${apiOrigin}/api/oauth/authorize`,
	token_endpoint: `${authOrigin}/oauth/token`,
	jwks_uri: `${authOrigin}/jwks`,
	response_types_supported: ['code'],
	response_modes_supported: ['query'],
	grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
	token_endpoint_auth_methods_supported: ['client_secret_post'],
	code_challenge_methods_supported: ['S256'],
	authorization_response_iss_parameter_supported: true,
	scopes_supported: Object.keys(CLAIMS),
	claims_supported: Object.values(CLAIMS).flat(),
	subject_types_supported: ['public'],
	id_token_signing_alg_values_supported: [ALGORITHM],
});

function accountOf(network: Network, id: string): Account | undefined {
	const user = findUser(network, id);
	if (user === undefined) {
		return undefined;
	}

	const claims = {
		sub: user.id,
		name: `${user.first_name} ${user.last_name}`,
		given_name: user.first_name,
		family_name: user.last_name,
		email: user.email,
		email_verified: true,
	};

	return { accountId: user.id, claims: () => claims };
}
