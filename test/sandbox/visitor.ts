import { request, type APIRequestContext, type APIResponse } from 'playwright-core';
import type { Sandbox } from '../../sandbox/client';

/** The address that the demonstration's application is registered with. */
export const CALLBACK = 'http://localhost:5678/rest/oauth2-credential/callback';

/** What the browser brings back to the application. */
export type Returned = Record<string, string>;

/** The authorization address of the sandbox with everything it requires, changed as given. */
export function authorizationUrl(sandbox: Sandbox, changes: Record<string, string> = {}): string {
	const url = new URL('/api/oauth/authorize', sandbox.apiUrl);
	const parameters = {
		client_id: sandbox.applicationId,
		redirect_uri: CALLBACK,
		response_type: 'code',
		state: 'state-of-this-test',
		...changes,
	};
	for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
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
	const browser = await request.newContext();
	const callback = new URL(url).searchParams.get('redirect_uri') ?? CALLBACK;
	const post = async (address: string, form: Record<string, string>) =>
		await follow(
			browser,
			address,
			await browser.post(address, { form, maxRedirects: 0 }),
			callback,
		);
	try {
		const signIn = await follow(
			browser,
			url,
			await browser.get(url, { maxRedirects: 0 }),
			callback,
		);
		const consent = await post(signIn, { email: user, password: sandbox.userPassword });
		return Object.fromEntries(new URL(await post(consent, { answer })).searchParams);
	} finally {
		await browser.dispose();
	}
}

/** Follows redirects up to a page, or up to the application's address, which is not called. */
async function follow(
	browser: APIRequestContext,
	from: string,
	response: APIResponse,
	callback: string,
): Promise<string> {
	const { location } = response.headers();
	if (location === undefined) {
		if (response.ok()) return from;
		throw new Error(`${from} answered ${response.status()}: ${await response.text()}`);
	}
	const next = new URL(location, from).href;
	if (next.startsWith(callback)) return next;
	return await follow(browser, next, await browser.get(next, { maxRedirects: 0 }), callback);
}
