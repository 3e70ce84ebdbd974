import { requireAccess, workspaceOf } from '../domain/access';
import * as payables from '../domain/payables';
import type { Handler } from './handler';

export const createPayable: Handler<'createPayable'> = ({ caller, body }, network) => ({
	payable: payables.createPayable(network, workspaceOf(network, caller, body.workspace_id), body),
});

export const approvePayable: Handler<'approvePayable'> = ({ caller, path: { id } }, network) => {
	const payable = payables.findPayable(network, id);
	const accessible = requireAccess(network, caller, 'payable', id, payable);
	return { payable: payables.approvePayable(network, accessible) };
};
