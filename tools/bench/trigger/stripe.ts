import type { Sandbox } from '../../../sandbox/client';
import type { Service } from '../../services';

/** How the sandbox has to deliver, so that n8n's Stripe Trigger finds Stripe's body and signature. */
export const STRIPE_DELIVERIES = {
	envelope: 'typed',
	signatureScheme: 'timestamped',
	signatureHeader: 'Stripe-Signature',
} as const;

/**
 * The part of Stripe's API with which its trigger in n8n is activated. An endpoint is a subscription of the
 * sandbox, which signs what it delivers with the secret that n8n gets here.
 */
export const stripeEndpoints =
	({ api }: Sandbox, workspaceId: string, event: string): Service =>
	async ({ method, path, body }) => {
		if (!path.startsWith('/v1/webhook_endpoints')) {
			return undefined;
		}

		if (method !== 'POST') {
			return { id: path.split('/').at(-1), deleted: method === 'DELETE' };
		}

		const client = await api();
		const { data } = await client.post<SubscriptionAnswer>(
			`/workspace/${workspaceId}/webhook-subscription`,
			{ url: urlIn(body), events: [event] },
		);

		const { id, secret } = data.webhook_subscription;
		return { id, secret, status: 'enabled', enabled_events: ['*'] };
	};

interface SubscriptionAnswer {
	webhook_subscription: { id: string; secret: string };
}

function urlIn(body: unknown): string {
	if (typeof body !== 'object' || body === null || !('url' in body)) {
		throw new Error('The endpoint has no address');
	}

	return String(body.url);
}
