import { PartnerPaymentsApi } from '../../credentials/PartnerPaymentsApi.credentials';
import { PartnerPaymentsLedgerApi } from '../../credentials/PartnerPaymentsLedgerApi.credentials';
import { PartnerPaymentsOAuth2Api } from '../../credentials/PartnerPaymentsOAuth2Api.credentials';

test.each([new PartnerPaymentsApi(), new PartnerPaymentsOAuth2Api()])(
	'lets no other node use the token of $name, unless somebody names where it may go',
	({ properties }) => {
		const field = properties.find(({ name }) => name === 'allowedHttpRequestDomains');
		expect(field).toMatchObject({ type: 'options', default: 'none' });
		expect(field?.options).toMatchObject([{ value: 'none' }, { value: 'domains' }]);
	},
);

test('lets no other node use the key of the ledger', () => {
	const ledger = new PartnerPaymentsLedgerApi();
	expect(ledger.restrictToSupportedNodes).toBe(true);
	expect(ledger).not.toHaveProperty('authenticate');
});
