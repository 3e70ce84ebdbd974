import axios from 'axios';

import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import { connectAs } from '../sandbox/visitor';
import { useFixture } from './support/fixture';

const fixture = useFixture();

const USER = 'partnerPaymentsOAuth2Api';

/** Where n8n sends the browser to connect an account. */
async function authorizationAddress(changes: Record<string, unknown> = {}): Promise<URL> {
	const { n8n, sandbox } = fixture();
	const data = { ...applicationCredentialData(sandbox), ...changes };

	return new URL(await n8n.authorizationUrl(await n8n.createCredential('User', USER, data)));
}

describe('the browser is sent to the authorization address #authorization-address', () => {
	/** The documented parameters, without the audience. */
	const documented = () => ({
		client_id: fixture().sandbox.applicationId,
		redirect_uri: fixture().n8n.callbackUrl,
		response_type: 'code',
		state: expect.any(String),
		scope: 'openid profile email',
	});

	const statusAt = async ({ href }: URL): Promise<number> =>
		(await axios.get(href, { maxRedirects: 0, validateStatus: () => true })).status;

	beforeEach(async () => {
		const { n8n, sandbox } = fixture();
		await sandbox.control.addRedirectUri(n8n.callbackUrl);
	});

	test('with the documented parameters', async () => {
		const { origin } = new URL(fixture().sandbox.apiUrl);

		const address = await authorizationAddress({ audience: '' });

		expect(address.origin + address.pathname).toBe(`${origin}/api/oauth/authorize`);
		expect(Object.fromEntries(address.searchParams)).toEqual(documented());
		expect(await statusAt(address)).toBe(302);
	});

	test('with the audience, where the credential has one', async () => {
		const { audience } = fixture().sandbox;

		const address = await authorizationAddress({ audience });

		expect(Object.fromEntries(address.searchParams)).toEqual({ ...documented(), audience });
		expect(await statusAt(address)).toBe(302);
	});
});

test('the state is random #random-state', async () => {
	const addresses = [await authorizationAddress(), await authorizationAddress()];

	const states = addresses.map((address) => {
		const state = Buffer.from(address.searchParams.get('state') ?? '', 'base64').toString();
		return (JSON.parse(state) as { token: string }).token;
	});

	expect(new Set(states).size).toBe(2);
	for (const state of states) {
		expect(state.length).toBeGreaterThanOrEqual(32);
	}
});

test('the scope can be edited #scope-editable', async () => {
	const address = await authorizationAddress({ scope: 'openid' });

	expect(address.searchParams.get('scope')).toBe('openid');
});

describe('a connection that does not come about stores nothing, and asks for no token', () => {
	/** What n8n says to the browser that the service sends back, with a state that may be another. */
	const comeBack = async (decision: 'allow' | 'refuse', change = (state: string) => state) => {
		const { n8n, sandbox } = fixture();
		await sandbox.control.addRedirectUri(n8n.callbackUrl);
		const data = applicationCredentialData(sandbox);
		const credential = await n8n.createCredential(decision, USER, data);
		const url = await n8n.authorizationUrl(credential);
		const { state = '', ...answer } = await connectAs(sandbox, sandbox.userEmail, decision, url);
		await sandbox.control.clearRequests();

		const { data: page } = await axios.get<string>(n8n.callbackUrl, {
			params: { ...answer, state: change(state) },
			headers: { Cookie: n8n.client.session.cookie },
		});

		expect(page).toContain('Failed to connect');
		expect(n8n.database.credential(decision)).not.toHaveProperty('oauthTokenData');
		expect(await sandbox.control.requests('requestToken')).toEqual([]);

		return page;
	};

	test('when the user refuses, and the error is shown #user-refuses', async () => {
		expect(await comeBack('refuse')).toContain('The user refused access.');
	});

	test('when the state has another token than n8n has sent #foreign-state-refused', async () => {
		const withOtherToken = (state: string): string => {
			const content = JSON.parse(Buffer.from(state, 'base64').toString()) as { token: string };
			const token = Buffer.from(content.token).reverse().toString();

			return Buffer.from(JSON.stringify({ ...content, token })).toString('base64');
		};

		expect(await comeBack('allow', withOtherToken)).toContain(
			'The OAuth callback state is invalid',
		);
	});
});
