import { deposit } from './deposit';
import { funding } from './funding';
import type { Resource } from '../execution/operation';
import { partner } from './partner';
import { payable } from './payable';
import { payout } from './payout';
import { user } from './user';
import { wallet } from './wallet';
import { webhookSubscription } from './webhookSubscription';
import { workspace } from './workspace';

/** Everything the node can do, in the order of the editor's list. */
export const resources: Resource[] = [
	deposit,
	funding,
	partner,
	payable,
	payout,
	user,
	wallet,
	webhookSubscription,
	workspace,
];
