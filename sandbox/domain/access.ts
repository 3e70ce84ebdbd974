import type { Network } from '../network/network';
import { notFound } from '../shared/errors';
import { findWorkspace, type WorkspaceRow } from './workspaces';

/** Who calls, by the access token: an integrator's client, or a user who consented. */
export interface Caller {
	kind: 'client' | 'user';
	id: string;
}

/** Which workspaces each kind of caller may act for; which role a user has makes no difference. */
const workspacesFor: Record<Caller['kind'], string> = {
	client: `SELECT workspaces.id FROM workspaces JOIN clients USING (buyer_id)
		WHERE clients.id = $caller`,
	user: 'SELECT workspace_id FROM memberships WHERE user_id = $caller',
};

const mayAct = ({ store }: Network, { kind, id: caller }: Caller, id: string): boolean =>
	store.has(`SELECT 1 FROM workspaces WHERE id = $id AND id IN (${workspacesFor[kind]})`, {
		id,
		caller,
	});

/**
 * The workspace, when the caller may act for it.
 * @throws HttpError 404, the same for a workspace of another buyer and for none at all
 */
export function workspaceOf(network: Network, caller: Caller, id: string): WorkspaceRow {
	const workspace = findWorkspace(network, id);
	if (workspace === undefined || !mayAct(network, caller, workspace.id)) {
		throw notFound('workspace', id);
	}

	return workspace;
}

/** @throws HttpError 404, the same for a record of another buyer and for none at all */
export function requireAccess<Row extends { workspace_id: string }>(
	network: Network,
	caller: Caller,
	kind: string,
	id: string,
	record: Row | undefined,
): Row {
	if (record === undefined || !mayAct(network, caller, record.workspace_id)) {
		throw notFound(kind, id);
	}

	return record;
}
