import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { testClientCredentials } from './ledger/credentialTest';
import { searchWorkspaces } from './listSearch/workspaces';
import { resources } from './resources';
import { payoutHints } from './resources/payout/fields';
import { resourceProperties } from './execution/operation';
import { execute } from './execution/execute';
import { authenticationField } from './shared/fields';
import { mainConnection } from './shared/mainConnection';

const main = [mainConnection(NodeConnectionTypes)];

export class PartnerPayments implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Partner Payments',
		name: 'partnerPayments',
		icon: {
			light: 'file:../../icons/partnerPayments.svg',
			dark: 'file:../../icons/partnerPayments.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Pay vendors: invite them, create and approve payables, and fund them',
		defaults: { name: 'Partner Payments' },
		usableAsTool: true,
		inputs: main,
		outputs: main,
		hints: payoutHints,
		credentials: [
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
		],
		properties: [authenticationField, ...resourceProperties(resources)],
	};

	methods = { credentialTest: { testClientCredentials }, listSearch: { searchWorkspaces } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await execute(this, resources)];
	}
}
