import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

import { hiddenField, textField } from '../nodes/PartnerPayments/shared/fields';
import { accountFields, icon, usageFields } from './sharedFields';

/**
 * Whether an address may carry a secret: HTTPS, or on this machine. A user name before the host is not
 * allowed, since it can look like this machine: `http://localhost:x@elsewhere`.
 */
const SECURE =
	'/^(https:\\/\\/[^\\s\\/?#@\\\\]+|http:\\/\\/(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?)(\\/[^\\s?#\\\\]*)?$/i';

/** n8n refuses to connect to an address with an unknown protocol, and says the protocol's name. */
const REFUSED = 'https-is-needed-in-both-base-urls:';

/** An expression for the address that follows from a base URL, which `address` calls `base`. */
const derived = (field: string, address: string): string =>
	`={{ [${field}.trim()].map((base) => ${SECURE}.test(base) ? ${address} : "${REFUSED}")[0] }}`;

const WITHOUT_SLASH = 'base.replace(/(?<!\\/)\\/+$/, "")';
const ORIGIN = 'base.split("/").slice(0, 3).join("/")';

export class PartnerPaymentsOAuth2Api implements ICredentialType {
	name = 'partnerPaymentsOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Partner Payments OAuth2 API';

	icon = icon;

	documentationUrl = 'https://github.com/partner-payments/n8n-nodes-partner-payments#credentials';

	properties: INodeProperties[] = [
		...accountFields,
		textField('Audience', 'audience', {
			placeholder: 'e.g. https://api.example.com',
			description: 'Audience of the API. The service fills it in when it is left empty.',
		}),
		textField('Scope', 'scope', {
			default: 'openid profile email',
			description: 'What the service is asked for when you connect, separated by spaces',
		}),
		...usageFields,
		hiddenField('Grant Type', 'grantType', { default: 'authorizationCode' }),
		hiddenField('Authorization URL', 'authUrl', {
			default: derived('$self.apiBaseUrl', `${ORIGIN} + "/api/oauth/authorize"`),
		}),
		hiddenField('Access Token URL', 'accessTokenUrl', {
			default: derived('$self.authBaseUrl', `${WITHOUT_SLASH} + "/oauth/token"`),
		}),
		hiddenField('Auth URI Query Parameters', 'authQueryParameters', {
			default:
				'={{ $self["audience"] ? "audience=" + encodeURIComponent($self["audience"]) : "" }}',
		}),
		hiddenField('Authentication', 'authentication', { default: 'body' }),
	];

	test: ICredentialTestRequest = {
		request: {
			baseURL: derived('$credentials.apiBaseUrl', WITHOUT_SLASH),
			url: '/user/current',
			// n8n would send the token to wherever a redirect leads.
			disableFollowRedirect: true,
		},
	};
}
