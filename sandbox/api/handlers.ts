import { requireAccess, workspaceOf, type Caller } from '../domain/access';
import { receiveDeposit, unlinkedDeposits } from '../domain/deposits';
import * as fundings from '../domain/fundings';
import { ensurePartner, findPartner, invitePartner, presentPartner } from '../domain/partners';
import * as payables from '../domain/payables';
import { createSubscription } from '../domain/subscriptions';
import { findUser, presentUser, workspacesOfUser } from '../domain/users';
import { joinByMagic } from '../domain/vendorLifecycle';
import { presentWallet, presentWorkspace } from '../domain/workspaces';
import type { Network } from '../network/network';
import { conflict, notFound } from '../shared/errors';
import type { Handlers, Result } from './handlerTypes';

type Invite = Result<'invitePartners'>['invites'][number];

function fundingOf(network: Network, caller: Caller, id: string): fundings.FundingRow {
	const funding = fundings.findFunding(network, id);
	return requireAccess(network, caller, 'funding', id, funding);
}

const presented = (network: Network, payable: payables.Payable): Result<'createPayable'> => ({
	payable: payables.presentPayable(network, payable),
});

/** What answers each operation; the compiler refuses a list that lacks one. */
export const handlers: Handlers = {
	getCurrentUser: ({ caller }, network) => {
		const user = findUser(network, caller.id);
		if (user === undefined) {
			throw notFound('user', caller.id);
		}

		return presentUser(user);
	},
	getCurrentUserWorkspaces: ({ caller }, network) => ({
		data: workspacesOfUser(network, caller.id),
	}),

	getWorkspace: ({ caller, path }, network) => {
		const workspace = workspaceOf(network, caller, path.id);
		return presentWorkspace(network, workspace);
	},
	createWebhookSubscription: ({ caller, path, body }, network) => {
		const workspace = workspaceOf(network, caller, path.id);
		return { webhook_subscription: createSubscription(network, workspace.id, body) };
	},
	getPartner: ({ caller, path }, network) => {
		const workspace = workspaceOf(network, caller, path.id);
		const partner = findPartner(network, workspace.id, path.partnerId);
		if (partner === undefined) {
			throw notFound('partner', path.partnerId);
		}

		return presentPartner(network, partner);
	},
	invitePartners: ({ caller, path, body }, network) => {
		const workspace = workspaceOf(network, caller, path.id);
		const invites = body.invites.map((invite) => {
			const { payee_email, payee_business_name } = invite;
			invitePartner(network, workspace, payee_email, payee_business_name ?? null);
			joinByMagic(network, workspace.id, payee_email);

			const { id, status } = ensurePartner(network, workspace.id, payee_email, null);
			const answer: Invite = { payee_email, partner_id: id, status };
			if (payee_business_name !== undefined) {
				answer.payee_business_name = payee_business_name;
			}

			return answer;
		});

		return { invites };
	},

	getWallet: ({ caller, path }, network) => {
		const workspace = workspaceOf(network, caller, path.id);
		return presentWallet(network, workspace);
	},
	getDeposits: ({ caller, path }, network) => {
		const workspace = workspaceOf(network, caller, path.id);
		return { deposits: unlinkedDeposits(network, workspace.id) };
	},
	simulateDeposit: ({ caller, path, body }, network) => {
		const workspace = workspaceOf(network, caller, path.id);
		return { deposit: receiveDeposit(network, workspace.id, body.amount) };
	},

	createPayable: ({ caller, body }, network) => {
		const workspace = workspaceOf(network, caller, body.workspace_id);
		const payable = payables.createPayable(network, workspace, body);
		joinByMagic(network, workspace.id, payable.payee_email);
		return presented(network, payable);
	},
	approvePayable: ({ caller, path }, network) => {
		const found = payables.findPayable(network, path.id);
		const payable = requireAccess(network, caller, 'payable', path.id, found);
		return presented(network, payables.approvePayable(network, payable));
	},

	createFunding: ({ caller, body }, network) => {
		const workspace = workspaceOf(network, caller, body.workspace_id);
		return { funding: fundings.createFunding(network, workspace, body) };
	},
	getFundingInvoicePdfUrl: ({ caller, path }, network) => {
		const funding = fundingOf(network, caller, path.id);
		const url = fundings.invoiceUrl(network, funding);
		if (url === undefined) {
			throw conflict(
				'no_invoice',
				`The funding ${funding.id} has no invoice: its method is balance.`,
			);
		}

		return { pdf_url: url };
	},
	linkDeposit: ({ caller, path, body }, network) => {
		const funding = fundingOf(network, caller, path.id);
		return { funding: fundings.linkDeposit(network, funding, body.deposit_id) };
	},
};
