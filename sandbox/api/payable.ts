import { requireAccess, workspaceOf } from '../domain/access';
import * as payables from '../domain/payables';
import { joinByMagic } from '../domain/vendor-lifecycle';
import type { Handler } from './handler';

export const createPayable: Handler<'createPayable'> = ({ caller, body }, network) => {
	const workspace = workspaceOf(network, caller, body.workspace_id);
	const payable = payables.createPayable(network, workspace, body);
	joinByMagic(network, workspace.id, payable.payee_email ?? '');
	return { payable };
};

export const approvePayable: Handler<'approvePayable'> = ({ caller, path: { id } }, network) => {
	const payable = payables.findPayable(network, id);
	const accessible = requireAccess(network, caller, 'payable', id, payable);
	return { payable: payables.approvePayable(network, accessible) };
};
