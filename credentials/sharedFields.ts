import type { Icon, INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	countField,
	hiddenField,
	secretField,
	switchField,
	textField,
} from '../nodes/PartnerPayments/shared/fields';

export const icon: Icon = {
	light: 'file:../icons/partnerPayments.svg',
	dark: 'file:../icons/partnerPayments.dark.svg',
};

/** Where the account lives, and its client: the fields that both credential types start with. */
export const accountFields: INodeProperties[] = [
	choiceField('Environment', 'environment', {
		options: [
			{ name: 'Production', value: 'production', description: 'Moves real money' },
			{
				name: 'Sandbox',
				value: 'sandbox',
				description: 'Moves no real money, and deposits can be simulated',
			},
		],
		default: 'sandbox',
		description:
			'The environment of the addresses below. Each has its own addresses, client and audience.',
	}),
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
	textField('Client ID', 'clientId', { required: true }),
	secretField('Client Secret', 'clientSecret', { required: true }),
];

/** Where the ledger is, for those who need another place: hidden until they say so. */
const elsewhere: INodeProperties['displayOptions'] = { show: { ledgerElsewhere: [true] } };

/** How the account is used: the fields that both credential types end with. */
export const usageFields: INodeProperties[] = [
	textField('Default Workspace ID', 'defaultWorkspaceId', {
		placeholder: 'e.g. 7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10',
		description:
			'For nodes whose "Workspace" is empty. Do not change it later: the same reference in another workspace is another payment.',
	}),
	countField('Requests per Minute', 'requestsPerMinute', {
		default: 100,
		description:
			"The account's limit, which all workflows of this n8n share. The standard tier allows 100.",
	}),
	hiddenField('Rate Window Seconds', 'rateWindowSeconds', { default: 60 }),
	secretField('Webhook Signing Secret', 'webhookSigningSecret', {
		description:
			'Secret that signs the events of the account, if the operator of the service gave you one',
	}),
	switchField('Ledger Elsewhere', 'ledgerElsewhere', {
		description:
			'Whether the ledger is not the Data Table "Payout Ledger" of the workflow\'s project. Most people never need this.',
	}),
	textField('Ledger Table', 'ledgerTable', {
		default: 'Payout Ledger',
		description:
			'Name of the Data Table, or its ID for n8n before 2.3. Do not change it later: another table does not know what was paid.',
		displayOptions: elsewhere,
	}),
	secretField('n8n API Key', 'n8nApiKey', {
		description:
			'Only to share one ledger between projects or n8n instances: the table that the user of this key sees. Create it in Settings, n8n API. Scopes: dataTable:list, dataTable:create, and read, create, update and delete of dataTableRow.',
		displayOptions: elsewhere,
	}),
	textField('n8n Base URL', 'n8nBaseUrl', {
		default: 'http://localhost:5678',
		placeholder: 'e.g. http://localhost:5678',
		description: 'With a key: the address of the n8n that has the table',
		displayOptions: elsewhere,
	}),
	// n8n's own field: no other node may use the token.
	hiddenField('Allowed HTTP Request Domains', 'allowedHttpRequestDomains', { default: 'none' }),
];
