import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { testClientCredentials } from './ledger/testClientCredentials';
import { searchWorkspaces } from './listSearch/workspaces';
import { authenticationField, icon, main, purpose } from './shared/description';
import { triggerFields, triggerPanel } from './trigger/fields';
import { startEvents } from './trigger/start';
import { subscribe } from './trigger/subscriptions';
import { rememberSubscriptions, rethrowTo } from './trigger/triggerData';
import { receiveDelivery } from './trigger/webhook';

export class PartnerPaymentsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Partner Payments Trigger',
		name: 'partnerPaymentsTrigger',
		icon,
		group: ['trigger'],
		// Above 1, n8n evaluates no expression for each delivery that looks for an option "Binary Data".
		version: 1.1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: purpose,
		eventTriggerDescription: 'Make the service send one of the chosen events',
		activationMessage:
			'From now on, the chosen events start this workflow. When you unpublish it, its subscription stays at the service and is used again later.',
		triggerPanel,
		defaults: { name: 'Partner Payments Trigger' },
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
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// n8n then answers what `webhook` returns.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: [authenticationField, ...triggerFields],
	};

	methods = { credentialTest: { testClientCredentials }, listSearch: { searchWorkspaces } };

	webhookMethods = {
		default: {
			// `create` subscribes only if it must.
			checkExists: async () => await Promise.resolve(false),
			async create(this: IHookFunctions): Promise<boolean> {
				await subscribe(this).catch(rethrowTo(this));
				return true;
			},
			// The service cannot unsubscribe: the subscription is used again.
			async delete(this: IHookFunctions): Promise<boolean> {
				rememberSubscriptions(this);
				return await Promise.resolve(true);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}

	/** Called by n8n in the execution that a delivery has started. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await startEvents(this).catch(rethrowTo(this))];
	}
}
