import type { INodeProperties } from 'n8n-workflow';

import { textField } from '../nodes/PartnerPayments/shared/fields';

/** Where the account lives, and its client: the fields that both credential types start with. */
export const accountFields: INodeProperties[] = [
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
			'Which environment the addresses below belong to. Each has its own addresses, client and audience. A reference that was used under one of them is refused under the other.',
	},
	textField('API Base URL', 'apiBaseUrl', {
		required: true,
		placeholder: 'e.g. https://api.example.com/v1',
		description: "Root of the environment's REST API. HTTPS, except on localhost.",
	}),
	textField('Auth Base URL', 'authBaseUrl', {
		required: true,
		placeholder: 'e.g. https://auth.example.com',
		description: "Root of the environment's authentication server. HTTPS, except on localhost.",
	}),
	textField('Client ID', 'clientId', {
		required: true,
	}),
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
	{
		displayName: 'n8n API Key',
		name: 'n8nApiKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'With a key, everything that pays with this credential keeps one ledger, in a Data Table of this n8n. Without, each node remembers by itself. From Settings, n8n API, without expiry. Scopes: dataTable:list, dataTable:create, and read, create, update and delete of dataTableRow.',
	},
	textField('n8n Base URL', 'n8nBaseUrl', {
		default: 'http://localhost:5678',
		placeholder: 'e.g. http://localhost:5678',
		description: 'The address at which this n8n can reach itself',
		displayOptions: { hide: { n8nApiKey: [''] } },
	}),
	textField('Ledger Table', 'ledgerTable', {
		default: 'Payout Ledger',
		description:
			'Name of the Data Table. The operation Create of Ledger makes it, once. Do not change it later: another table does not know what was paid.',
		displayOptions: { hide: { n8nApiKey: [''] } },
	}),
	// Fields that n8n knows, with its strictest choice as the default.
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
	textField('Allowed Domains', 'allowedDomains', {
		placeholder: 'e.g. api.example.com, auth.example.com',
		description: 'The hosts of both base URLs, separated by commas, and no others',
		displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
	}),
];
