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
import { refuseAsTool } from '../../execution/safeguards';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create webhook subscription',
	description: 'Have events of a workspace sent to an address of your own',
	isNonIdempotent: true,
	fields: [
		notice(
			'The service cannot list or delete subscriptions, nor show one again. Create each one once, and turn on Include Signing Secret if your receiver needs it.',
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
					'Whether to put out the secret that signs the deliveries, if the service tells one. Whoever may see the executions of this workflow can then read it, and forge deliveries.',
			}),
		]),
	],
	read: (item) => {
		refuseAsTool(item, 'It shows an address all events, so a person does it, or a workflow.');
		return {
			workspaceId: item.workspaceId(),
			url: item.url('url', 'URL'),
			events: item.choices('events', EVENT_KINDS, 'Events'),
			more: item.additionalFields('url events'),
			includesSecret: item.flag('options.includeSecret', 'Include Signing Secret'),
		};
	},
	send: async ({ client }, { workspaceId, url, events, more, includesSecret }) => {
		const { subscription } = await createWebhookSubscription(client, workspaceId, {
			url,
			events: eventIdentifiers(events),
			...more,
		});
		return [{ json: includesSecret ? subscription : withoutSecret(subscription) }];
	},
});
