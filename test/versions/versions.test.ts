import { useOwnFixture } from '../n8n/support/fixture';
import { testOperations } from '../n8n/operations.suite';
import { testExamples } from './examples.suite';
import { testPayouts } from './payouts.suite';
import { testRenewal } from './renewal.suite';
import { VERSIONS } from './support/install';
import { testTrigger } from './trigger.suite';
import { testWithoutSetup } from './withoutSetup.suite';

describe.each(VERSIONS.map((host) => ({ version: host.version, host })))(
	'n8n $version',
	({ host }) => {
		const fixture = useOwnFixture(() => ({ host }));
		const names = async (kind: 'nodes' | 'credentials'): Promise<string[]> =>
			(await fixture().n8n.client.types<{ name: string }>(kind)).map(({ name }) => name);

		describe('loading', () => {
			test('the nodes and the credential types are offered', async () => {
				const nodes = [
					'partnerPayments',
					'partnerPaymentsDepositTrigger',
					'partnerPaymentsTool',
					'partnerPaymentsTrigger',
				];

				expect(await names('nodes')).toEqual(
					expect.arrayContaining(nodes.map((name) => `n8n-nodes-partner-payments.${name}`)),
				);
				expect(await names('credentials')).toEqual(
					expect.arrayContaining(['partnerPaymentsApi', 'partnerPaymentsOAuth2Api']),
				);
			});

			test('no error is written about the package', () => {
				const lines = fixture().n8n.process.log().split('\n');

				expect(
					lines.filter((line) => /partner-?payments.*(error|fail|cannot)/i.test(line)),
				).toEqual([]);
			});
		});

		describe('operations', () => {
			testOperations(fixture);
		});

		describe('renewal', () => {
			testRenewal(fixture);
		});

		describe('payouts', () => {
			testPayouts(fixture);
		});

		describe('without setup', () => {
			testWithoutSetup(host);
		});

		describe('examples', () => {
			testExamples(fixture, host);
		});

		describe('trigger', () => {
			testTrigger(fixture);
		});
	},
);
