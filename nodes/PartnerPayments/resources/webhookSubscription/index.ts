import type { Resource } from '../operation';
import { create } from './create';

export const webhookSubscription: Resource = {
	name: 'Webhook Subscription',
	value: 'webhookSubscription',
	operations: [create],
};
