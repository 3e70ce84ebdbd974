import {
	createWebhookSubscription,
	EVENT_KINDS,
	eventIdentifiers,
	withoutSecret,
} from '../../api/endpoints';
import {
	additionalFieldsValue,
	choicesField,
	eventOptions,
	notice,
	optionsField,
	switchField,
	textField,
	workspaceField,
} from '../../shared/fields';
import { itemOperation } from '../../execution/operation';
import { assertNotTool } from '../../execution/safeguards';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create webhook subscription',
	description: 'Send events of a workspace to your own address',
	isNonIdempotent: true,
	fields: [
		notice(
			'The service cannot list, show or delete subscriptions. Create each one once, and turn on "Include Signing Secret" if your receiver needs it.',
			'subscriptionNotice',
		),
		workspaceField,
		textField('URL', 'url', {
			required: true,
			placeholder: 'e.g. https://hooks.example.com/payments',
			description: 'Where the events are sent',
		}),
		choicesField('Events', 'events', {
			required: true,
			options: eventOptions,
			description: 'Which events are sent',
		}),
		optionsField([
			additionalFieldsValue,
			switchField('Include Signing Secret', 'includeSecret', {
				description:
					'Whether to return the secret that signs the deliveries, if there is one. Anyone who can see the executions of this workflow can then read it and forge deliveries.',
			}),
		]),
	],
	read: (item) => {
		assertNotTool(
			item,
			'It sends all events to an address, so only a person or a workflow may do it.',
		);
		return {
			workspaceId: item.workspaceId(),
			url: item.url('url', 'URL'),
			events: item.choices('events', EVENT_KINDS, 'Events'),
			more: item.additionalFields('url events'),
			includesSecret: item.flag('options.includeSecret', 'Include Signing Secret'),
		};
	},
	run: async ({ client }, { workspaceId, url, events, more, includesSecret }) => {
		const { subscription } = await createWebhookSubscription(client, workspaceId, {
			url,
			events: eventIdentifiers(events),
			...more,
		});
		return [{ json: includesSecret ? subscription : withoutSecret(subscription) }];
	},
});
