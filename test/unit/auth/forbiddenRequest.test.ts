import { UserError } from 'n8n-workflow';

import { renewalError } from '../../../nodes/PartnerPayments/api/auth/renewal';

test('a request that n8n keeps back is no token that could not be renewed', () => {
	const forbidden = new UserError('The request was blocked because it is restricted');
	forbidden.name = 'SsrfBlockedIpError';
	for (const error of [forbidden, new Error('outer', { cause: forbidden })]) {
		expect(renewalError(error, {})).toBeUndefined();
	}
});
