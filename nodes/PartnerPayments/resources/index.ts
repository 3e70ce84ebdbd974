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

export const resources: Resource[] = [
	resource('Deposit', 'deposit', getDeposits, simulateDeposit),
	resource('Funding', 'funding', createFunding, getInvoicePdf, linkDeposit),
	resource('Ledger', 'ledger', createLedger),
	resource('Partner', 'partner', getPartner, invitePartner),
	resource('Payable', 'payable', approvePayable, createPayable),
	{ ...resource('Payout', 'payout', getPayouts, resolvePayout, sendPayout), initial: 'send' },
	resource('User', 'user', getUser, getWorkspaces),
	resource('Wallet', 'wallet', getWallet),
	resource('Webhook Subscription', 'webhookSubscription', createSubscription),
	resource('Workspace', 'workspace', getWorkspace, getInviteLink),
];
