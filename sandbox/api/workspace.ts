import { workspaceOf } from '../domain/access';
import { createSubscription } from '../domain/subscriptions';
import { presentWorkspace } from '../domain/workspaces';
import type { Handler } from './handler';

export const getWorkspace: Handler<'getWorkspace'> = ({ caller, path }, network) =>
	presentWorkspace(network, workspaceOf(network, caller, path.id));

export const createWebhookSubscription: Handler<'createWebhookSubscription'> = (
	{ caller, path, body },
	network,
) => ({
	webhook_subscription: createSubscription(network, workspaceOf(network, caller, path.id).id, body),
});
