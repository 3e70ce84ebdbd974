import type { Network } from '../network/network';
import { notFound } from '../shared/errors';
import { findWorkspace, type WorkspaceRow } from './workspaces';

/** Who calls, by the access token: an integrator's client, or a user who consented. */
export interface Caller {
	kind: 'client' | 'user';
	id: string;
}

/** One query per kind of caller: may it act for this workspace? */
const access: {
	[K in Caller['kind']]: (network: Network, id: string, workspace: WorkspaceRow) => boolean;
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

/**
 * The workspace, when the caller may act for it; which role a user has makes no difference.
 * @throws HttpError 404, the same for a workspace of somebody else and for none at all
 */
export function workspaceOf(network: Network, caller: Caller, id: string): WorkspaceRow {
	const workspace = findWorkspace(network, id);
	if (workspace !== undefined && access[caller.kind](network, caller.id, workspace)) {
		return workspace;
	}
	throw notFound('workspace', id);
}

/**
 * The record that was looked up by its id, when it is in one of the caller's workspaces.
 * @throws HttpError 404, the same for a record of somebody else and for none at all
 */
export function requireAccess<Row extends { workspace_id: string }>(
	network: Network,
	caller: Caller,
	kind: string,
	id: string,
	record: Row | undefined,
): Row {
	const workspace = record && findWorkspace(network, record.workspace_id);
	if (record !== undefined && workspace !== undefined) {
		if (access[caller.kind](network, caller.id, workspace)) return record;
	}
	throw notFound(kind, id);
}
