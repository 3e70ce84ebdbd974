import type { components } from '../../contract/service';
import { unprocessable } from '../shared/errors';
import { newId, newSecret } from '../shared/ids';
import type { Network } from '../network/network';

type WebhookSubscription = components['schemas']['WebhookSubscription'];
type WebhookSubscriptionCreate = components['schemas']['WebhookSubscriptionCreate'];

/**
 * Every call makes one, also for a known address: the service documents no way to find an earlier one.
 * @throws HttpError 422 for an address to which nothing can be delivered
 */
export function createSubscription(
	network: Network,
	workspaceId: string,
	{ url, events }: WebhookSubscriptionCreate,
): WebhookSubscription {
	const problem = addressProblem(url);
	if (problem !== undefined) {
		throw unprocessable('invalid_url', `The address of the subscription ${problem}.`, 'url');
	}

	const subscription: WebhookSubscription = {
		id: newId('subscription'),
		url,
		events,
		secret: newSecret(),
	};

	network.store.insert('subscriptions', {
		...subscription,
		events: JSON.stringify(events),
		workspace_id: workspaceId,
		created_at: network.clock.iso(),
	});

	return subscription;
}

function addressProblem(address: string): string | undefined {
	const url = URL.parse(address);
	if (url === null) {
		return 'is no web address';
	}

	if (url.username !== '' || url.password !== '') {
		return 'must not have a user or a password';
	}

	if (url.hash !== '') {
		return 'must not have a fragment, which is never sent';
	}

	return undefined;
}

export interface SubscriptionView {
	id: string;
	workspaceId: string;
	url: string;
	events: string[];
	createdAt: string;
	/** When its endpoint answered that it wants nothing more; null while it is active. */
	endedAt: string | null;
}

export const allSubscriptions = (network: Network): SubscriptionView[] =>
	network.store
		.all<Omit<SubscriptionView, 'events'> & { events: string }>(
			`SELECT id, workspace_id AS workspaceId, url, events, created_at AS createdAt,
				ended_at AS endedAt FROM subscriptions ORDER BY rowid`,
		)
		.map((row) => ({ ...row, events: JSON.parse(row.events) as string[] }));
