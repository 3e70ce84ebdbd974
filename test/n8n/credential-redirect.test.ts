import { ScriptedService } from '../engine/scriptedService';
import { useFixture } from './support/fixture';
import { useResource } from './support/resource';

const fixture = useFixture();

const start = async (): Promise<ScriptedService> => {
	const service = new ScriptedService();
	await service.start();
	return service;
};
const stop = async (service: ScriptedService): Promise<void> => {
	await service.stop();
};
const api = useResource(start, stop);
const elsewhere = useResource(start, stop);

test.each(['partnerPaymentsApi', 'partnerPaymentsOAuth2Api'])(
	'the test of a credential follows no redirect with its token: %s #credential-test-no-redirect',
	async (type) => {
		api().useScript(() => ({
			status: 302,
			headers: { location: `${elsewhere().url}/user/current` },
		}));
		elsewhere().useScript(() => ({ body: { user: { id: 'u1' } } }));
		const { n8n, credentialData } = fixture();
		const result = await n8n.testCredential('Redirected', type, {
			...credentialData,
			apiBaseUrl: api().url,
			authBaseUrl: api().url,
			oauthTokenData: { access_token: 'user-token-opaque', token_type: 'Bearer' },
		});
		expect(result.status).toBe('Error');
		expect(api().requests).toEqual([
			expect.objectContaining({ authorization: expect.stringMatching(/^Bearer .+-opaque$/) }),
		]);
		expect(elsewhere().requests).toEqual([]);
	},
);
