import type { Network } from '../network/network';
import { HttpError } from '../shared/errors';
import type { ServiceResponse, ServiceRequest } from '../http/messages';
import { html, pageHeaders } from '../ui/page';
import { findApplication } from '../domain/applications';
import { DEFAULT_SCOPE } from './identityProvider';
import { SignInFailed } from './signInFailed';

export interface AuthorizationContext {
	network: Network;
	audience: string;
	authOrigin: () => string;
}

/**
 * Answers GET /api/oauth/authorize, whose parameters the contract has checked already: sends the
 * browser to the identity provider's sign-in, with the audience and scope filled in.
 * @throws HttpError 400 for an unknown application or an address that is not registered for it; the
 * browser is never sent to such an address (RFC 6749 §4.1.2.1)
 */
export function startAuthorization(
	{ network, audience, authOrigin }: AuthorizationContext,
	{ query }: ServiceRequest,
): ServiceResponse {
	const problem = authorizationProblem(query);
	if (problem !== undefined) {
		throw new HttpError(400, 'invalid_request', problem);
	}

	const application = findApplication(network.store, String(query['client_id']));
	if (application === undefined) {
		throw new HttpError(400, 'unknown_application', 'No application has this client ID.');
	}

	const redirectUri = String(query['redirect_uri']);
	if (!application.redirectUris.includes(redirectUri)) {
		throw new HttpError(
			400,
			'unregistered_redirect_uri',
			`The redirect URI ${redirectUri} is not registered for ${application.name}. Have the operator register exactly this address.`,
		);
	}

	const location = new URL('/authorize', authOrigin());
	location.searchParams.set('audience', audience);
	location.searchParams.set('scope', DEFAULT_SCOPE);

	for (const [name, value] of Object.entries(query)) {
		if (value !== '') {
			location.searchParams.set(name, String(value));
		}
	}

	location.searchParams.set('prompt', 'login');

	return {
		status: 302,
		headers: { location: location.href, 'cache-control': 'no-store' },
		text: '',
	};
}

const REQUIRED = ['client_id', 'redirect_uri', 'response_type', 'state'];

/**
 * Why an authorization cannot begin, by its parameters alone. The identity provider's own address is
 * held to this too: OAuth itself leaves it to the application whether it sends a state.
 */
export function authorizationProblem(query: ServiceRequest['query']): string | undefined {
	const isGiven = (value: unknown): boolean => typeof value === 'string' && value !== '';
	const missing = REQUIRED.filter((name) => !isGiven(query[name]));
	if (missing.length > 0) {
		return `The authorization needs one ${missing.join(' and one ')}.`;
	}

	const { response_mode: mode = 'query' } = query;
	return mode === 'query' ? undefined : 'The answer comes in the query: response_mode is query.';
}

/** Whether it is a browser that asks, which shows a refusal as a page. */
export const isFromBrowser = ({ headers }: ServiceRequest): boolean =>
	headers.accept?.includes('text/html') === true;

export function errorPage({ status, code, message }: HttpError): ServiceResponse {
	return {
		status,
		headers: pageHeaders,
		body: { error: { code, message } },
		text: html(SignInFailed({ reason: message })),
	};
}
