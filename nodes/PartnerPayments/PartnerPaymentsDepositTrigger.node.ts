import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { testClientCredentials } from './ledger/testClientCredentials';
import { searchWorkspaces } from './listSearch/workspaces';
import { authenticationField, icon, main } from './shared/description';
import { depositTriggerFields, pollDeposits, startDeposits } from './trigger/deposits/poll';
import { rethrowTo } from './trigger/triggerData';

export class PartnerPaymentsDepositTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Partner Payments Deposit Trigger',
		name: 'partnerPaymentsDepositTrigger',
		icon,
		group: ['trigger'],
		version: 1,
		subtitle: 'New unlinked deposit',
		description: 'Starts the workflow when a deposit arrives that is not linked to a funding',
		eventTriggerDescription: '',
		activationMessage:
			'From now on, each new deposit starts this workflow. Existing deposits do so only with "Include Existing Deposits".',
		polling: true,
		defaults: { name: 'Partner Payments Deposit Trigger' },
		inputs: [],
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
		properties: [authenticationField, ...depositTriggerFields],
	};

	methods = { credentialTest: { testClientCredentials }, listSearch: { searchWorkspaces } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollDeposits(this).catch(rethrowTo(this));
	}

	/** Called by n8n in the execution that a poll has started, and to fetch a test event. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await startDeposits(this).catch(rethrowTo(this))];
	}
}
