import type { Sandbox } from '../../sandbox/client';

/** The address that the demonstration's application is registered with. */
export const CALLBACK = 'http://localhost:5678/rest/oauth2-credential/callback';

/** What the browser brings back to the application. */
export type Returned = Record<string, string>;

/** Other parameters of the authorization address; one that is undefined is left out. */
export type Changes = Record<string, string | undefined>;

/** The authorization address of the sandbox with everything it requires, changed as given. */
export function authorizationUrl(sandbox: Sandbox, changes: Changes = {}): string {
	const url = new URL('/api/oauth/authorize', sandbox.apiUrl);
	const parameters: Changes = {
		client_id: sandbox.applicationId,
		redirect_uri: CALLBACK,
		response_type: 'code',
		state: 'state-of-this-test',
		...changes,
	};

	for (const [name, value] of Object.entries(parameters)) {
		if (value !== undefined) {
			url.searchParams.set(name, value);
		}
	}

	return url.href;
}

/**
 * Goes the way of a user's browser: is redirected to the identity provider, signs in, and answers
 * whether the application may act for them.
 * @returns the parameters with which the browser is sent back
 * @throws when it never gets there, with the page it got stuck on
 */
export async function connectAs(
	sandbox: Sandbox,
	user: string,
	answer: 'allow' | 'refuse' = 'allow',
	url = authorizationUrl(sandbox),
): Promise<Returned> {
	const callback = new URL(url).searchParams.get('redirect_uri') ?? CALLBACK;
	const cookies = new Map<string, string>();

	/** Follows redirects up to a page, or up to the application's address, which is not called. */
	const visit = async (address: string, form?: Record<string, string>): Promise<string> => {
		const response = await fetch(address, {
			redirect: 'manual',
			headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
			...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
		});

		for (const cookie of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			cookies.set(name, value);
		}

		const location = response.headers.get('location');
		if (location === null) {
			if (response.ok) {
				return address;
			}

			throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
		}

		const next = new URL(location, address).href;

		return next.startsWith(callback) ? next : await visit(next);
	};

	const signIn = await visit(url);
	const consent = await visit(signIn, { email: user, password: sandbox.userPassword });

	return Object.fromEntries(new URL(await visit(consent, { answer })).searchParams);
}
