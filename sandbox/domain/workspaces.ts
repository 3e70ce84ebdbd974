import type { components } from '../../contract/service';
import type { Caller } from './access';
import { notFound } from '../shared/errors';
import type { Network } from '../network/network';

/** A workspace as stored. */
export type WorkspaceRow = {
	id: string;
	buyer_id: string;
	display_name: string;
	bsp_tag: string | null;
	account_number: string;
	routing_number: string;
	created_at: string;
};

/** The workspace, whoever asks; undefined when there is none. */
export function findWorkspace(network: Network, id: string): WorkspaceRow | undefined {
	return network.store.all<WorkspaceRow>('SELECT * FROM workspaces WHERE id = $id', {
		id: id.toLowerCase(),
	})[0];
}

/** One question per kind of caller: may it act for this workspace? */
const access: {
	[K in Caller['kind']]: (network: Network, id: string, w: WorkspaceRow) => boolean;
} = {
	client: (network, clientId, { buyer_id }) =>
		network.store.has('SELECT 1 FROM clients WHERE id = $clientId AND buyer_id = $buyer_id', {
			clientId,
			buyer_id,
		}),
	user: (network, userId, { id }) =>
		network.store.has('SELECT 1 FROM memberships WHERE user_id = $userId AND workspace_id = $id', {
			userId,
			id,
		}),
};

/** Whether the caller may act for the workspace; which role a user has makes no difference. */
export function mayAccess(network: Network, caller: Caller, workspace: WorkspaceRow): boolean {
	return access[caller.kind](network, caller.id, workspace);
}

/**
 * The workspace, when it is one of the caller's.
 * @throws Refusal 404, the same for a workspace of somebody else and for none at all
 */
export function workspaceOf(network: Network, caller: Caller, id: string): WorkspaceRow {
	const workspace = findWorkspace(network, id);
	if (workspace === undefined || !mayAccess(network, caller, workspace)) {
		throw notFound('workspace', id);
	}
	return workspace;
}

/** The stable link by which vendors join a workspace. */
export function inviteUrl(network: Network, workspace: WorkspaceRow): string {
	const url = new URL('/join', network.origin());
	url.searchParams.set('invitationId', workspace.id);
	if (workspace.bsp_tag !== null) url.searchParams.set('bsp_tag', workspace.bsp_tag);
	return url.href;
}

/** The workspace as the API answers it. */
export function presentWorkspace(
	network: Network,
	workspace: WorkspaceRow,
): components['schemas']['Workspace'] {
	return {
		id: workspace.id,
		display_name: workspace.display_name,
		vendor_invite_url: inviteUrl(network, workspace),
	};
}
