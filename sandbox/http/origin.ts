import type { IncomingHttpHeaders } from 'node:http';

/** Under which names a browser on this machine reaches the sandbox. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a browser sends this request on behalf of another site: any page in the same browser can
 * post to localhost. Programs send neither header.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
	return headers.origin !== undefined && !isSameOrigin(headers.origin, headers.host);
}

/** The name is compared too: another site's name may lead to this machine. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
	if (!URL.canParse(origin)) return false;
	const url = new URL(origin);
	return LOCAL_HOSTS.includes(url.hostname) && url.host === host;
}
