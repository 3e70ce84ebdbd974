import { presentDeposit, receiveDeposit, unlinkedDeposits } from '../domain/deposits';
import { workspaceOf } from '../domain/access';
import { presentWallet } from '../domain/workspaces';
import type { Handler } from './handler';

export const getWallet: Handler<'getWallet'> = ({ caller, path }, network) =>
	presentWallet(network, workspaceOf(network, caller, path.id));

export const getDeposits: Handler<'getDeposits'> = ({ caller, path }, network) => ({
	deposits: unlinkedDeposits(network, workspaceOf(network, caller, path.id).id),
});

export const simulateDeposit: Handler<'simulateDeposit'> = ({ caller, path, body }, network) => {
	const workspace = workspaceOf(network, caller, path.id);
	return { deposit: presentDeposit(receiveDeposit(network, workspace.id, body.amount)) };
};
