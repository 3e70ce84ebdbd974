import { presentDeposit, receiveDeposit, unlinkedDeposits } from '../domain/deposits';
import { presentWallet } from '../domain/wallets';
import { workspaceOf } from '../domain/workspaces';
import { Refusal } from '../shared/errors';
import type { Handler } from './handler';

export const getWallet: Handler<'getWallet'> = ({ caller, path }, network) =>
	presentWallet(network, workspaceOf(network, caller, path.id));

export const getDeposits: Handler<'getDeposits'> = ({ caller, path }, network) => ({
	deposits: unlinkedDeposits(network, workspaceOf(network, caller, path.id).id),
});

export const simulateDeposit: Handler<'simulateDeposit'> = (
	{ caller, path, body },
	network,
	{ production },
) => {
	const workspace = workspaceOf(network, caller, path.id);
	if (production) {
		throw new Refusal(404, 'not_found', 'Deposits cannot be simulated in production.');
	}
	return { deposit: presentDeposit(receiveDeposit(network, workspace.id, body.amount)) };
};
