import {
	createWebhookSubscription,
	EVENT_KINDS,
	eventIdentifiers,
} from '../../service/api/webhookSubscriptions';
import { additionalFieldsOption, eventOptions, workspaceField } from '../../shared/fields';
import { itemOperation } from '../../execution/operation';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a webhook subscription',
	description: 'Have events of a workspace sent to an address of your own',
	isNonIdempotent: true,
	fields: [
		{
			displayName: 'The service cannot list or delete subscriptions. Create each one once.',
			name: 'subscriptionNotice',
			type: 'notice',
			default: '',
		},
		workspaceField,
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://hooks.example.com/payments',
			description: 'Where the events are sent',
		},
		{
			displayName: 'Events',
			name: 'events',
			type: 'multiOptions',
			required: true,
			options: eventOptions,
			default: [],
		},
		additionalFieldsOption,
	],
	read: (item) => ({
		workspaceId: item.workspaceId(),
		url: item.url('url', 'URL'),
		events: item.choices('events', EVENT_KINDS, 'Events'),
		more: item.additionalFields(['url', 'events']),
	}),
	send: async ({ client }, { workspaceId, url, events, more }) => [
		{
			json: await createWebhookSubscription(client, workspaceId, {
				url,
				events: eventIdentifiers(events),
				...more,
			}),
		},
	],
});
