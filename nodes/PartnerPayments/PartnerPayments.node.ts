import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { testClientCredentials } from './ledger/testClientCredentials';
import { searchWorkspaces } from './listSearch/workspaces';
import { resources } from './resources';
import { resourceProperties } from './execution/operation';
import { execute } from './execution/execute';
import { authenticationField, icon, main, purpose } from './shared/description';

export class PartnerPayments implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Partner Payments',
		name: 'partnerPayments',
		icon,
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: purpose,
		defaults: { name: 'Partner Payments' },
		usableAsTool: true,
		inputs: main,
		outputs: main,
		// Written out, since n8n's rules read the source: it has to show that a node uses one at a time.
		credentials: [
			{
				name: 'partnerPaymentsApi',
				testedBy: 'testClientCredentials',
				required: true,
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
