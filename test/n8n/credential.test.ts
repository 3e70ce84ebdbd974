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
		['a wrong audience', { audience: 'https://elsewhere.example' }, /audience is not accepted/],
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
			'plain HTTP elsewhere',
			{ apiBaseUrl: 'http://api.example.com' },
			/must start with https:\/\//,
		],
	])('tells %s in a sentence #credential-test-refused', async (_, change, sentence) => {
		const { n8n, credentialData } = fixture();
		const result = await n8n.testCredential('Wrong', TYPE, { ...credentialData, ...change });
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(sentence);
		expect(result.message).not.toContain(credentialData.clientSecret);
		expect(result.message).not.toContain('wrong-secret');
	});
});
