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
