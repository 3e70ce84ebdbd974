import type { Caller } from '../domain/access';
import type { Network } from '../network/network';
import * as payables from '../domain/payables';
import { findWorkspace, mayAccess, workspaceOf } from '../domain/workspaces';
import { notFound } from '../shared/errors';
import type { Handler } from './handler';

export const createPayable: Handler<'createPayable'> = ({ caller, body }, network) => ({
	payable: payables.createPayable(network, workspaceOf(network, caller, body.workspace_id), body),
});

export const approvePayable: Handler<'approvePayable'> = ({ caller, path }, network) => ({
	payable: payables.approvePayable(network, payableOf(network, caller, path.id)),
});

/** The payable, when it is in one of the caller's workspaces; else a 404 Refusal. */
function payableOf(network: Network, caller: Caller, id: string): payables.PayableRow {
	const payable = payables.findPayable(network, id);
	const workspace =
		payable === undefined ? undefined : findWorkspace(network, payable.workspace_id);
	if (payable === undefined || workspace === undefined || !mayAccess(network, caller, workspace)) {
		throw notFound('payable', id);
	}
	return payable;
}
