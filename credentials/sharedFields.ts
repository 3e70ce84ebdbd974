import type { INodeProperties } from 'n8n-workflow';

/** Where the account lives: the fields that both credential types start with. */
export const environmentFields: INodeProperties[] = [
	{
		displayName: 'Environment',
		name: 'environment',
		type: 'options',
		options: [
			{
				name: 'Production',
				value: 'production',
				description: 'Moves real money',
			},
			{
				name: 'Sandbox',
				value: 'sandbox',
				description: 'Moves no real money, and deposits can be simulated',
			},
		],
		default: 'sandbox',
		description:
			'Which environment the addresses below belong to. Each has its own addresses, client and audience. Do not change it later: what was paid is remembered for one environment, and unknown in the other.',
	},
	{
		displayName: 'API Base URL',
		name: 'apiBaseUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://api.example.com/v1',
		description: "Root of the environment's REST API. HTTPS, except on localhost.",
	},
	{
		displayName: 'Auth Base URL',
		name: 'authBaseUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://auth.example.com',
		description: "Root of the environment's authentication server. HTTPS, except on localhost.",
	},
];

/** The client that the operator registered. */
export const clientFields: INodeProperties[] = [
	{
		displayName: 'Client ID',
		name: 'clientId',
		type: 'string',
		required: true,
		default: '',
	},
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		required: true,
		default: '',
	},
];

/** How the account is used: the fields that both credential types end with. */
export const usageFields: INodeProperties[] = [
	{
		displayName: 'Requests per Minute',
		name: 'requestsPerMinute',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description:
			"The account's limit, which all workflows of this n8n keep together. The standard tier allows 100.",
	},
	{
		displayName: 'Rate Window Seconds',
		name: 'rateWindowSeconds',
		type: 'hidden',
		default: 60,
	},
	{
		displayName: 'Webhook Signing Secret',
		name: 'webhookSigningSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Secret that signs the events of the account, if the operator gave you one',
	},
];

/** Where other nodes may send the token: fields that n8n knows, with its strictest choice as the default. */
export const otherNodesFields: INodeProperties[] = [
	{
		displayName: 'Allowed HTTP Request Domains',
		name: 'allowedHttpRequestDomains',
		type: 'options',
		options: [
			{ name: 'None', value: 'none', description: 'Only the Partner Payments nodes use it' },
			{
				name: 'Specific Domains',
				value: 'domains',
				description: 'HTTP Request nodes may send its token to the hosts that you name',
			},
		],
		default: 'none',
		description: 'Where nodes such as HTTP Request may send the token of this credential',
	},
	{
		displayName: 'Allowed Domains',
		name: 'allowedDomains',
		type: 'string',
		default: '',
		placeholder: 'e.g. api.example.com, auth.example.com',
		description: 'The hosts of both base URLs, separated by commas, and no others',
		displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
	},
];
