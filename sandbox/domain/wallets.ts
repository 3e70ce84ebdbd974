import type { components } from '../../contract/service';
import { balance, workspaceWallet } from './ledger';
import type { Network } from '../network/network';
import type { WorkspaceRow } from './workspaces';

/** The workspace's wallet: what it holds, and the account that bank transfers go to. */
export function presentWallet(
	network: Network,
	workspace: WorkspaceRow,
): components['schemas']['Wallet'] {
	return {
		workspace_id: workspace.id,
		balance: balance(network, workspaceWallet(workspace.id)),
		amount_denomination: 'us_cents',
		account_number: workspace.account_number,
		routing_number: workspace.routing_number,
	};
}
