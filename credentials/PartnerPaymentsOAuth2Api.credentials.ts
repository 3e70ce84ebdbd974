import type { ICredentialTestRequest, ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

import { clientFields, environmentFields, usageFields } from './sharedFields';

export class PartnerPaymentsOAuth2Api implements ICredentialType {
	name = 'partnerPaymentsOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Partner Payments OAuth2 API';

	icon: Icon = {
		light: 'file:../icons/partnerPayments.svg',
		dark: 'file:../icons/partnerPayments.dark.svg',
	};

	documentationUrl = 'https://github.com/partner-payments/n8n-nodes-partner-payments#credentials';

	properties: INodeProperties[] = [
		...environmentFields,
		...clientFields,
		{
			displayName: 'Audience',
			name: 'audience',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Audience of the API. The service fills it in when it is left empty.',
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'openid profile email',
			description: 'What the service is asked for when you connect, separated by spaces',
		},
		...usageFields,
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'hidden',
			default: 'authorizationCode',
		},
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'hidden',
			required: true,
			default:
				'={{ $self["apiBaseUrl"].trim().replace(/^(https?:\\/\\/[^\\/?#]+).*$/, "$1") }}/api/oauth/authorize',
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'hidden',
			required: true,
			default: '={{ $self["authBaseUrl"].trim().replace(/\\/+$/, "") }}/oauth/token',
		},
		{
			displayName: 'Auth URI Query Parameters',
			name: 'authQueryParameters',
			type: 'hidden',
			default:
				'={{ $self["audience"] ? "audience=" + encodeURIComponent($self["audience"]) : "" }}',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'hidden',
			default: 'body',
		},
	];

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.apiBaseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/user/current',
		},
	};
}
