import type { Fixture } from '../n8n/support/fixture';

/** Tests that n8n loads the package. */
export function testLoading(fixture: () => Fixture): void {
	const names = async (kind: 'nodes' | 'credentials'): Promise<string[]> =>
		(await fixture().n8n.client.types<{ name: string }>(kind)).map(({ name }) => name);

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
			expect.arrayContaining([
				'partnerPaymentsApi',
				'partnerPaymentsLedgerApi',
				'partnerPaymentsOAuth2Api',
			]),
		);
	});

	test('no error is written about the package', () => {
		const lines = fixture().n8n.log().split('\n');
		expect(lines.filter((line) => /partner-?payments.*(error|fail|cannot)/i.test(line))).toEqual(
			[],
		);
	});
}
