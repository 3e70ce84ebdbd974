import { type Credential } from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/payout';
import type { Fixture } from '../n8n/support/fixture';
import { PayoutWorkflow, statusesOf, usePayouts } from '../n8n/support/payouts';

type Authentication = 'clientCredentials' | 'oAuth2';

const NAME = 'Connected account';
const PAYOUTS = 4;

/** Tests that workflows continue when the service takes their token no longer. */
export function testRenewal(fixture: () => Fixture): void {
	const { addPayouts } = usePayouts(fixture);
	/** The grant of the token that each of these ways of authentication is renewed with. */
	const grants: Array<[Authentication, grant: string]> = [
		['clientCredentials', 'client_credentials'],
		['oAuth2', 'refresh_token'],
	];

	let credentials: Record<Authentication, Credential>;

	beforeAll(async () => {
		const { n8n, sandbox, createClient } = fixture();
		await sandbox.control.setSettings({ refreshTokens: 'rotated' });

		credentials = {
			clientCredentials: await createClient(),
			oAuth2: await fixture().connectUser(NAME),
		};

		expect(n8n.database.credential(NAME)).toMatchObject({
			oauthTokenData: { access_token: expect.any(String), refresh_token: expect.any(String) },
		});
	});

	test.each(grants)(
		'a workflow runs on after its token expired, three times in a row, with refresh tokens that are new or kept: %s #workflow-outlives-tokens',
		async (authentication, grant) => {
			const { control } = fixture().sandbox;
			const workflow = await payoutWorkflow(authentication);
			const { payouts, expectPaidOnce } = await addPayouts(4 * PAYOUTS);
			for (let round = 0; round < 4; round += 1) {
				await control.clearRequests();
				// In the first round only the credential's own first token may be needed.
				if (round > 0) {
					await control.expireTokens();
				}

				const mode = round % 2 === 0 ? 'kept' : 'rotated';
				await control.setSettings({ refreshTokens: mode });
				const before = refreshToken();

				const items = await workflow.pay(payouts.slice(round * PAYOUTS, (round + 1) * PAYOUTS));

				expect(statusesOf(items)).toEqual(Array(PAYOUTS).fill('funded'));

				const renewals = (await control.requests('requestToken')).filter(({ body }) =>
					JSON.stringify(body).includes(grant),
				);
				if (round === 0) {
					continue;
				}

				expect(renewals).toHaveLength(1);
				if (authentication === 'oAuth2') {
					expect(refreshToken() === before).toBe(mode === 'kept');
				}
			}

			await expectPaidOnce();
		},
	);

	/** The refresh token that n8n now holds. */
	const refreshToken = (): unknown => {
		const { oauthTokenData } = fixture().n8n.database.credential(NAME);
		return (oauthTokenData as { refresh_token: unknown }).refresh_token;
	};

	const payoutWorkflow = async (authentication: Authentication): Promise<PayoutWorkflow> => {
		const { n8n, sandbox } = fixture();
		const parameters = payoutParameters(sandbox.workspaceId, { authentication });

		return await PayoutWorkflow.create(n8n, credentials[authentication], parameters);
	};
}
