import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

export class PartnerPaymentsLedgerApi implements ICredentialType {
	name = 'partnerPaymentsLedgerApi';

	displayName = 'Partner Payments Ledger API';

	icon: Icon = {
		light: 'file:../icons/partnerPayments.svg',
		dark: 'file:../icons/partnerPayments.dark.svg',
	};

	documentationUrl = 'https://github.com/partner-payments/n8n-nodes-partner-payments#credentials';

	/** The key is for the ledger alone: n8n gives it to no other node. */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'http://localhost:5678',
			placeholder: 'e.g. http://localhost:5678',
			description:
				'The address at which this n8n can reach itself. Payouts are remembered in one of its Data Tables.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'From Settings, n8n API. With an expired key nothing is paid, and n8n suggests 30 days. Its scopes: dataTable:list, dataTable:create, and read, create, update and delete of dataTableRow.',
		},
	];
}
