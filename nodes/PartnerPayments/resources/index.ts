import type { Operation, Resource } from '../execution/operation';
import { getAll as getDeposits } from './deposit/getAll';
import { simulate as simulateDeposit } from './deposit/simulate';
import { create as createFunding } from './funding/create';
import { getInvoicePdf } from './funding/getInvoicePdf';
import { linkDeposit } from './funding/linkDeposit';
import { create as createLedger } from './ledger/create';
import { get as getPartner } from './partner/get';
import { invite as invitePartner } from './partner/invite';
import { approve as approvePayable } from './payable/approve';
import { create as createPayable } from './payable/create';
import { getMany as getPayouts } from './payout/getMany';
import { resolve as resolvePayout } from './payout/resolve';
import { send as sendPayout } from './payout/send';
import { get as getUser } from './user/get';
import { getWorkspaces } from './user/getWorkspaces';
import { get as getWallet } from './wallet/get';
import { create as createSubscription } from './webhookSubscription/create';
import { get as getWorkspace } from './workspace/get';
import { getInviteLink } from './workspace/getInviteLink';

const resource = (name: string, value: string, ...operations: Operation[]): Resource => ({
	name,
	value,
	operations,
});

/** In the order in which people need them: n8n lists the actions of a node in this order. */
export const resources: Resource[] = [
	resource('Payout', 'payout', sendPayout, getPayouts, resolvePayout),
	resource('Ledger', 'ledger', createLedger),
	resource('Payable', 'payable', createPayable, approvePayable),
	resource('Funding', 'funding', createFunding, getInvoicePdf, linkDeposit),
	resource('Deposit', 'deposit', getDeposits, simulateDeposit),
	resource('Partner', 'partner', getPartner, invitePartner),
	resource('Wallet', 'wallet', getWallet),
	resource('Workspace', 'workspace', getWorkspace, getInviteLink),
	resource('User', 'user', getUser, getWorkspaces),
	resource('Webhook Subscription', 'webhookSubscription', createSubscription),
];
