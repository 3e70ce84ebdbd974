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
	const grants: Array<[authentication: Authentication, grant: string]> = [
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
			const payNext = async () => statusesOf(await workflow.pay(payouts.splice(0, PAYOUTS)));
			const FUNDED = Array(PAYOUTS).fill('funded');

			// The credential has no token yet, or one that does not expire meanwhile.
			expect(await payNext()).toEqual(FUNDED);

			for (const refreshTokens of ['rotated', 'kept', 'rotated'] as const) {
				await control.setSettings({ refreshTokens });
				// Read before the tokens expire: another workflow may be the one that renews them.
				const before = refreshToken();
				await control.clearRequests();
				await control.expireTokens();

				const statuses = await payNext();

				const renewals = (await control.requests('requestToken')).filter(({ body }) =>
					JSON.stringify(body).includes(grant),
				);
				const isReplaced = authentication === 'oAuth2' && refreshTokens === 'rotated';
				expect(statuses).toEqual(FUNDED);
				expect(renewals).toHaveLength(1);
				expect(refreshToken() === before).toBe(!isReplaced);
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
