import { useFixture } from '../n8n/support/fixture';
import { testOperations } from '../n8n/support/operations';
import { onEachVersion } from './support/versions';

onEachVersion((host) => {
	const fixture = useFixture(undefined, host);

	test('the nodes and credential types are offered, and their loading wrote no error', async () => {
		const { client } = fixture().n8n;
		const names = async (kind: 'nodes' | 'credentials') =>
			(await client.types<{ name: string }>(kind)).map(({ name }) => name);
		expect(await names('nodes')).toEqual(
			expect.arrayContaining(
				['partnerPayments', 'partnerPaymentsTool', 'partnerPaymentsTrigger'].map(
					(name) => `n8n-nodes-partner-payments.${name}`,
				),
			),
		);
		expect(await names('credentials')).toEqual(
			expect.arrayContaining([
				'partnerPaymentsApi',
				'partnerPaymentsLedgerApi',
				'partnerPaymentsOAuth2Api',
			]),
		);
		expect(fixture().n8n.log()).not.toMatch(/partner-payments.*(error|fail)|TypeError/i);
	});

	testOperations(fixture);
});
