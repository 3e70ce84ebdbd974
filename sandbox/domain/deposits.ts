import type { components } from '../../contract/service';
import { newId } from '../shared/ids';
import { bank, recordTransfer, workspaceWallet } from './ledger';
import type { Network } from '../network/network';

export type Deposit = Required<components['schemas']['Deposit']>;

export type DepositRow = Omit<Deposit, 'status'> & {
	workspace_id: string;
	funding_id: string | null;
};

export function presentDeposit(row: DepositRow): Deposit {
	return {
		id: row.id,
		amount: row.amount,
		amount_denomination: row.amount_denomination,
		status: row.funding_id === null ? 'unlinked' : 'linked',
		received_at: row.received_at,
	};
}

/**
 * A bank transfer arrives: it credits the wallet and waits, unlinked, to be matched to a funding.
 * @param amount minor units
 */
export function receiveDeposit(network: Network, workspaceId: string, amount: number): DepositRow {
	const row: DepositRow = {
		id: newId('deposit'),
		workspace_id: workspaceId,
		amount,
		amount_denomination: 'us_cents',
		funding_id: null,
		received_at: network.clock.iso(),
	};
	network.store.insert('deposits', row);
	recordTransfer(network, {
		kind: 'deposit',
		reference: row.id,
		from: bank,
		to: workspaceWallet(workspaceId),
		amount,
	});
	return row;
}

/** The workspace's deposits that no funding has claimed, oldest first. */
export function unlinkedDeposits(network: Network, workspaceId: string): Deposit[] {
	return network.store
		.all<DepositRow>(
			'SELECT * FROM deposits WHERE workspace_id = $workspaceId AND funding_id IS NULL ORDER BY rowid',
			{ workspaceId },
		)
		.map(presentDeposit);
}

export function allDeposits(network: Network): DepositRow[] {
	return network.store.all<DepositRow>('SELECT * FROM deposits ORDER BY rowid');
}
