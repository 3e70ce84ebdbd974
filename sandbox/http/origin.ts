import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DELIVERY_AGENT } from '../deliveries/sender';
import { HttpError } from '../shared/errors';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a request to any other name, since another site's name can be made to lead to this machine
 * (DNS rebinding): a browser would then let that site read the answers.
 *
 * @param allowedHosts further names, in lower case
 * @throws HttpError 403, which says for sure that nothing was done
 */
export function assertKnownHost(host: string | undefined, allowedHosts: string[]): void {
	const name = host?.toLowerCase().replace(/:\d*$/, '');
	if (name !== undefined && [...LOCAL_HOSTS, ...allowedHosts].includes(name)) {
		return;
	}

	throw new HttpError(
		403,
		'unknown_host',
		'The sandbox answers to localhost, 127.0.0.1 and [::1] only. To reach it under another name, start it with --allow-host NAME.',
	);
}

/**
 * Whether a browser sends this request on behalf of another site: any page in the same browser can
 * post to localhost. Programs send neither header.
 */
function isCrossSite(headers: IncomingHttpHeaders): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined && site !== 'same-origin' && site !== 'none') {
		return true;
	}

	return headers.origin !== undefined && !isSameOrigin(headers.origin, headers.host);
}

/**
 * Refuses what another site makes a browser send, and what a subscription makes the sandbox send to
 * itself; reading is not refused.
 */
export function refuseForeign(app: FastifyInstance): void {
	app.addHook('onRequest', (request, _, next) => {
		next(request.method === 'GET' ? undefined : refusalOf(request.headers));
	});
}

function refusalOf(headers: IncomingHttpHeaders): HttpError | undefined {
	if (isCrossSite(headers)) {
		const message = 'This was sent from another site. Open the page here and send the form again.';
		return new HttpError(403, 'cross_site', message);
	}

	if (headers['user-agent'] === DELIVERY_AGENT) {
		const message = 'This is a delivery of a sandbox. A subscription cannot control a sandbox.';
		return new HttpError(403, 'own_delivery', message);
	}

	return undefined;
}

/** Takes a form from a page of this host only. A browser says where a form comes from; others need the control API. */
export function requireOwnOrigin(
	{ headers }: FastifyRequest,
	_reply: unknown,
	next: (error?: Error) => void,
): void {
	const isOwn = headers.origin !== undefined && isSameOrigin(headers.origin, headers.host);
	const message = 'A form comes from a page of this console. Programs use the control API.';
	next(isOwn ? undefined : new HttpError(403, 'no_origin', message));
}

/** The host itself was checked before. */
const isSameOrigin = (origin: string, host: string | undefined): boolean =>
	URL.canParse(origin) && new URL(origin).host === host;
