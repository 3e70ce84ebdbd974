import { UserError } from 'n8n-workflow';

import { assertAllowedDomain } from '../../../nodes/PartnerPayments/api/auth/accessToken';
import { thrownBy } from '../support';
import { renewalError } from '../../../nodes/PartnerPayments/api/auth/oAuth2Renewal';

const TOKEN_ADDRESS = 'https://auth.example.com/oauth/token';

const domains = (allowedDomains: unknown) => ({
	allowedHttpRequestDomains: 'domains',
	allowedDomains,
});

test.each([
	[{}],
	[{ allowedHttpRequestDomains: 'all' }],
	[{ allowedHttpRequestDomains: 'none', allowedDomains: 'api.example.com' }],
	[domains('auth.example.com')],
	[domains(' api.example.com ,AUTH.example.com. ')],
	[domains('*.example.com')],
])('%j lets a token be asked for', (credentials) => {
	expect(() => assertAllowedDomain(credentials, TOKEN_ADDRESS)).not.toThrow();
});

test.each([
	[domains('api.example.com')],
	[domains('example.com')],
	[domains('*.auth.example.com')],
	[domains('*.')],
	[domains('https://auth.example.com')],
	[domains('')],
	[domains(undefined)],
])('%j says that it lacks the host of the authentication', (credentials) => {
	expect(thrownBy(() => assertAllowedDomain(credentials, TOKEN_ADDRESS))).toMatchObject({
		message:
			'No access token: the Allowed Domains of the credential do not name auth.example.com, the host of the Auth Base URL',
		hint: expect.stringContaining('Add it'),
	});
});

test('a request that n8n keeps back is no token that could not be renewed', () => {
	const forbidden = new UserError('The request was blocked because it is restricted');
	forbidden.name = 'SsrfBlockedIpError';
	for (const error of [forbidden, new Error('outer', { cause: forbidden })]) {
		expect(renewalError(error, {})).toBeUndefined();
	}
});
