import { ServiceError } from '../http/errors';

/**
 * Checks that a credential whose Allowed Domains are limited may be used for a token request. n8n keeps
 * it back otherwise, with an error that looks like a broken connection.
 *
 * @throws ServiceError when the host of the address is not among them
 */
export function assertAllowedDomain(
	{ allowedHttpRequestDomains: mode, allowedDomains: list }: Record<string, unknown>,
	address: string,
): void {
	if (mode !== 'domains') return;
	const hostname = withoutDot(new URL(address).hostname);
	const names = typeof list === 'string' ? list.split(',') : [];
	if (names.some((name) => covers(withoutDot(name.trim().toLowerCase()), hostname))) return;
	throw new ServiceError({
		message: `No access token: the Allowed Domains of the credential do not name ${hostname}, the host of the Auth Base URL`,
		hint: 'Add it to them. n8n asks for no token at other hosts.',
	});
}

/** `*.example.com` stands for the hosts below it, and not for `example.com` itself. */
const covers = (name: string, hostname: string): boolean =>
	name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;

const withoutDot = (name: string): string => name.replace(/\.$/, '');
