import { createFunding, getFundingInvoicePdfUrl, linkDeposit } from './funding';
import type { Handlers } from './handler';
import { getPartner, invitePartners } from './partner';
import { approvePayable, createPayable } from './payable';
import { getCurrentUser, getCurrentUserWorkspaces } from './user';
import { getDeposits, getWallet, simulateDeposit } from './wallet';
import { createWebhookSubscription, getWorkspace } from './workspace';

/** What answers each operation; the compiler refuses a list that lacks one. */
export const handlers: Handlers = {
	approvePayable,
	createFunding,
	createPayable,
	createWebhookSubscription,
	getCurrentUser,
	getCurrentUserWorkspaces,
	getDeposits,
	getFundingInvoicePdfUrl,
	getPartner,
	getWallet,
	getWorkspace,
	invitePartners,
	linkDeposit,
	simulateDeposit,
};
