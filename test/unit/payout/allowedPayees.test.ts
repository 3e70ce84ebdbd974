import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import { readRequest } from '../../../nodes/PartnerPayments/resources/payout/request';

const ALLOWED = 'Kate@example.com, vnd_4c1B7e';

/** Reads a payout to somebody, of a node whose Allowed Payees are those above. */
function read(payee: Record<string, NodeParameterValueType>): unknown {
	const values: Record<string, NodeParameterValueType> = {
		uniqueReference: 'INV-1',
		workspaceId: '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10',
		amount: '1.00',
		amountUnit: 'major',
		fundingMethod: 'balance',
		rememberIn: 'node',
		'options.allowedPayees': ALLOWED,
		...payee,
	};
	const n8n = {
		getNodeParameter: (name: string, _: number, fallback: unknown) => values[name] ?? fallback,
		getTimezone: () => 'UTC',
	} as unknown as IExecuteFunctions;
	const parameters = { options: { allowedPayees: ALLOWED } };
	return readRequest(new ItemParameters(n8n, 0, { type: 'partnerPayments', parameters }));
}

const toEmail = (payeeEmail: string): unknown => read({ payeeIdentifiedBy: 'email', payeeEmail });
const toVendor = (payeeServiceId: string): unknown =>
	read({ payeeIdentifiedBy: 'serviceId', payeeServiceId });

test('who is named is allowed, an address in any capitals', () => {
	expect(toEmail('kATE@EXAMPLE.com')).toMatchObject({
		payable: { payee_email: 'kATE@EXAMPLE.com' },
	});
	expect(toVendor('vnd_4c1B7e')).toMatchObject({ payable: { payee_service_id: 'vnd_4c1B7e' } });
});

test.each([
	['an address with a Kelvin sign', () => toEmail('\u212aate@example.com')],
	['an address that goes on', () => toEmail('kate@example.com.evil.example')],
	['an address with full-width letters', () => toEmail('kate@ex\uff41mple.com')],
	['an ID in other capitals', () => toVendor('VND_4C1B7E')],
	['an ID that is part of one', () => toVendor('vnd_4c1B7')],
	['both in one', () => toVendor(ALLOWED)],
])('%s is not who is named', (_, readIt) => {
	expect(readIt).toThrow(/is not among the Allowed Payees$/);
});
