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
import { authenticationField, icon, main, purpose, requiredWith } from './shared/description';

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
		credentials: [
			{
				name: 'partnerPaymentsApi',
				testedBy: 'testClientCredentials',
				...requiredWith('clientCredentials'),
			},
			{ name: 'partnerPaymentsOAuth2Api', ...requiredWith('oAuth2') },
		],
		properties: [authenticationField, ...resourceProperties(resources)],
	};

	methods = { credentialTest: { testClientCredentials }, listSearch: { searchWorkspaces } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await execute(this, resources)];
	}
}
