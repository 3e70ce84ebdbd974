import type { components } from '../../contract/service';
import { newId } from '../shared/ids';
import { bank, recordTransfer, workspaceWallet } from './ledger';
import type { Network } from '../network/network';

export type Deposit = Required<components['schemas']['Deposit']>;

const select = `SELECT id, amount, amount_denomination, received_at,
	iif(funding_id IS NULL, 'unlinked', 'linked') AS status FROM deposits`;

/** Credits the wallet and waits, unlinked, to be matched to a funding. The amount is in minor units. */
export function receiveDeposit(network: Network, workspace_id: string, amount: number): Deposit {
	const row = {
		id: newId('deposit'),
		amount,
		amount_denomination: 'us_cents' as const,
		received_at: network.clock.iso(),
	};

	network.store.insert('deposits', { ...row, workspace_id });

	const to = workspaceWallet(workspace_id);
	recordTransfer(network, { kind: 'deposit', reference: row.id, from: bank, to, amount });
	return { ...row, status: 'unlinked' };
}

/** The workspace's deposits that no funding has claimed, oldest first. */
export const unlinkedDeposits = (network: Network, workspaceId: string): Deposit[] =>
	network.store.all<Deposit>(
		`${select} WHERE workspace_id = $workspaceId AND funding_id IS NULL ORDER BY rowid`,
		{ workspaceId },
	);

export const allDeposits = (network: Network): Deposit[] =>
	network.store.all<Deposit>(`${select} ORDER BY rowid`);
