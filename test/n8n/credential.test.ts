import { useFixture } from './support/fixture';

const fixture = useFixture();

const TYPE = 'partnerPaymentsApi';
const UNREACHABLE = 'http://localhost:9';

describe('the test of a client-credentials credential', () => {
	test('passes for a working one, also with slashes and blanks around its addresses #credential-test-passes', async () => {
		const { n8n, credentialData } = fixture();
		const untidy = {
			...credentialData,
			apiBaseUrl: ` ${String(credentialData.apiBaseUrl)}// `,
			authBaseUrl: `${String(credentialData.authBaseUrl)}/`,
		};
		for (const data of [credentialData, untidy]) {
			expect(await n8n.testCredential('Works', TYPE, data)).toEqual({
				status: 'OK',
				message: 'Connection successful',
			});
		}
	});

	test.each([
		['a wrong secret', { clientSecret: 'wrong-secret' }, /client ID or the client secret is wrong/],
		['an unknown client', { clientId: 'nobody' }, /client ID or the client secret is wrong/],
		['a wrong audience', { audience: 'https://elsewhere.example' }, /audience is not accepted/],
		['no audience', { audience: '' }, /has no Audience/],
		[
			'an unreachable authentication host',
			{ authBaseUrl: UNREACHABLE },
			/localhost:9 cannot be reached, nothing answers.*Auth Base URL/,
		],
		[
			'an unreachable API host',
			{ apiBaseUrl: UNREACHABLE },
			/API at localhost:9 cannot be reached, nothing answers.*API Base URL/,
		],
		[
			'an unknown host',
			{ authBaseUrl: 'https://no-such-host.invalid' },
			/no-such-host.invalid cannot be reached/,
		],
		[
			'plain HTTP elsewhere',
			{ apiBaseUrl: 'http://api.example.com' },
			/must start with https:\/\//,
		],
		['no address', { apiBaseUrl: 'example' }, /is not a web address/],
	])('tells %s in a sentence #credential-test-refused', async (_, change, sentence) => {
		const { n8n, credentialData } = fixture();
		const result = await n8n.testCredential('Wrong', TYPE, { ...credentialData, ...change });
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(sentence);
		expect(result.message).not.toContain(credentialData.clientSecret);
		expect(result.message).not.toContain('wrong-secret');
	});

	test('tells a wrong path of either address', async () => {
		const { n8n, sandbox, credentialData } = fixture();
		const wrongAuth = { ...credentialData, authBaseUrl: `${sandbox.authUrl}/v9` };
		expect((await n8n.testCredential('Wrong', TYPE, wrongAuth)).message).toMatch(
			/no token endpoint at that address.*Auth Base URL/,
		);
		const wrongApi = { ...credentialData, apiBaseUrl: `${new URL(sandbox.apiUrl).origin}/v9` };
		expect((await n8n.testCredential('Wrong', TYPE, wrongApi)).message).toMatch(
			/no API of the service at that address.*API Base URL/,
		);
	});
});
