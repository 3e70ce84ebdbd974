import type { Resource } from '../../execution/operation';
import { create } from './create';

export const webhookSubscription: Resource = {
	name: 'Webhook Subscription',
	value: 'webhookSubscription',
	operations: [create],
};
