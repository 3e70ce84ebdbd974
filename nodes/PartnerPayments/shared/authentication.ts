import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The credentials that both nodes take. */
export const credentials: INodeCredentialDescription[] = [
	{
		name: 'partnerPaymentsApi',
		required: true,
		testedBy: 'testClientCredentials',
		displayOptions: { show: { authentication: ['clientCredentials'] } },
	},
	{
		name: 'partnerPaymentsOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
];

/** Which of them a node uses. */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Client Credentials',
			value: 'clientCredentials',
			description: 'Server to server, for workspaces of your own',
		},
		{
			name: 'OAuth2',
			value: 'oAuth2',
			description: 'Acts for a user who connects their account',
		},
	],
	default: 'clientCredentials',
};
