import { stringOrEmpty } from '../../shared/typeGuards';
import { ServiceError } from './errors';

/** The hosts that lead to this machine, as `URL` writes each of them. */
const THIS_MACHINE =
	/^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const NOTHING_SENT = 'Correct it in the credential. Nothing was sent.';

/** Throws for an address; the message is its name and the reason. */
export function throwBadAddress(name: string, reason: string, hint = NOTHING_SENT): never {
	throw new ServiceError({ message: `${name} ${reason}`, hint });
}

/**
 * Reads a web address that credentials or money travel to.
 *
 * @param name what the address is, to begin a sentence with
 */
export function secureUrl(text: unknown, name: string, hint?: string): URL {
	const typed = stringOrEmpty(text).trim();
	if (typed === '') {
		return throwBadAddress(name, 'is empty', hint);
	}

	const url = URL.canParse(typed) ? new URL(typed) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		return throwBadAddress(name, 'is not a web address that starts with https://', hint);
	}

	if (url.protocol === 'http:' && !LOCAL_HOSTS.has(url.hostname)) {
		return throwBadAddress(name, 'must start with https:// (plain http:// is for localhost)', hint);
	}

	return url;
}

/** Whether an address leads to this machine, as far as the address itself shows that. */
export const isThisMachine = ({ hostname }: URL): boolean => THIS_MACHINE.test(hostname);

/**
 * Brings a base URL of a credential into the one form that paths are appended to.
 *
 * @returns the URL with its path and without a trailing slash
 */
export function baseUrl(text: unknown, field: string): string {
	const name = `The "${field}" of the credential`;
	const url = secureUrl(text, name);
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		return throwBadAddress(name, 'must be a plain address without user name, "?" or "#"');
	}

	return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/** @throws ServiceError for what is not a base URL */
export function assertBaseUrl(text: unknown, field: string): void {
	baseUrl(text, field);
}
