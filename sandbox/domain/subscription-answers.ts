import type { components } from '../../contract/service';
import type { Network } from '../network/network';
import { readSetting, writeSetting } from '../store/settings';

type WebhookSubscription = components['schemas']['WebhookSubscription'];

/** The names of the ways to answer a subscription. Only `default` is in the contract. */
export const subscriptionAnswerNames = [
	'default',
	'nested',
	'subscription',
	'beside',
	'webhook_signing_secret',
	'shared_secret',
	'hmac_key',
	'none',
] as const;
export type SubscriptionAnswer = (typeof subscriptionAnswerNames)[number];

const SETTING = 'subscription_answer';

const under =
	(name: string) =>
	({ secret, ...rest }: WebhookSubscription): unknown => ({
		webhook_subscription: { ...rest, [name]: secret },
	});

const answers: Record<SubscriptionAnswer, (subscription: WebhookSubscription) => unknown> = {
	default: under('secret'),
	nested: ({ secret, ...rest }) => ({
		data: { subscription: { ...rest, signing_secret: secret } },
	}),
	subscription: (subscription) => ({ subscription }),
	beside: ({ secret, ...rest }) => ({ webhook_subscription: rest, secret }),
	webhook_signing_secret: under('webhook_signing_secret'),
	shared_secret: under('shared_secret'),
	hmac_key: under('hmac_key'),
	// Deliveries are signed all the same, with a secret that nobody is told.
	none: ({ secret: _, ...rest }) => ({ webhook_subscription: rest }),
};

/** Decides where the answer to a subscription holds the secret. */
export const setSubscriptionAnswer = (network: Network, shape: SubscriptionAnswer): void => {
	writeSetting(network.store, SETTING, shape);
};

/** The answer to a subscription, in the shape that was chosen. */
export function presentSubscription(
	network: Network,
	{ webhook_subscription: subscription }: { webhook_subscription: WebhookSubscription },
): unknown {
	const chosen = readSetting(network.store, SETTING);
	const shape = subscriptionAnswerNames.find((name) => name === chosen) ?? 'default';
	return answers[shape](subscription);
}
