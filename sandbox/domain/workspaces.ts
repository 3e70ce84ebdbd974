import type { components } from '../../contract/service';
import type { Network } from '../network/network';
import { notFound } from '../shared/errors';
import { balance, workspaceWallet } from './ledger';

type Schemas = components['schemas'];

export type WorkspaceRow = {
	id: string;
	buyer_id: string;
	display_name: string;
	bsp_tag: string | null;
	account_number: string;
	routing_number: string;
	created_at: string;
};

export function findWorkspace(network: Network, id: string): WorkspaceRow | undefined {
	return network.store.get<WorkspaceRow>('workspaces', id.toLowerCase());
}

/** @throws HttpError 404 when there is none */
export function requireWorkspace(network: Network, id: string): WorkspaceRow {
	const workspace = findWorkspace(network, id);
	if (workspace === undefined) {
		throw notFound('workspace', id);
	}

	return workspace;
}

/** The stable link by which vendors join a workspace. */
export function inviteUrl(network: Network, workspace: WorkspaceRow): string {
	const url = new URL('/join', network.origin());
	url.searchParams.set('invitationId', workspace.id);
	if (workspace.bsp_tag !== null) {
		url.searchParams.set('bsp_tag', workspace.bsp_tag);
	}

	return url.href;
}

export const presentWorkspace = (
	network: Network,
	workspace: WorkspaceRow,
): Schemas['Workspace'] => ({
	id: workspace.id,
	display_name: workspace.display_name,
	vendor_invite_url: inviteUrl(network, workspace),
});

/** The workspace's wallet: what it holds, and the account that bank transfers go to. */
export const presentWallet = (network: Network, workspace: WorkspaceRow): Schemas['Wallet'] => ({
	workspace_id: workspace.id,
	balance: balance(network, workspaceWallet(workspace.id)),
	amount_denomination: 'us_cents',
	account_number: workspace.account_number,
	routing_number: workspace.routing_number,
});
