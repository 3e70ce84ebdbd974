import { unprocessable } from '../shared/errors';
import type { Network } from '../network/network';

export type Account = string;

/** The world outside: every deposit comes from here, and what a vendor withdraws goes back. Its balance is never positive. */
export const bank: Account = 'bank';
export const workspaceWallet = (workspaceId: string): Account => `workspace:${workspaceId}`;
export const fundingEscrow = (fundingId: string): Account => `funding:${fundingId}`;
export const vendorWallet = (vendorId: string): Account => `vendor:${vendorId}`;

export interface Transfer {
	kind: 'opening' | 'deposit' | 'funding' | 'payment' | 'withdrawal';
	/** The deposit, funding, payable or withdrawal that caused it. */
	reference: string;
	from: Account;
	to: Account;
	amount: number;
}

/** The sum of its entries in minor units; it is kept nowhere else. */
export function balance(network: Network, account: Account): number {
	const sql = 'SELECT COALESCE(SUM(amount), 0) FROM entries WHERE account = $account';
	return network.store.number(sql, { account });
}

/**
 * Records a transfer as two entries whose sum is zero.
 * @throws HttpError 422 when the paying account does not hold the money, or when all money in the
 * network would no longer be an exact number (2^53 - 1 minor units)
 */
export function recordTransfer(network: Network, transfer: Transfer): void {
	const { kind, reference, from, to, amount } = transfer;
	const available = balance(network, from);
	// All money in the network has come from the bank: bounding this bounds every balance.
	if (from === bank && amount - available > Number.MAX_SAFE_INTEGER) {
		throw unprocessable('amount_too_large', 'The network cannot hold that much money.', 'amount');
	}

	if (from !== bank && available < amount) {
		throw unprocessable('insufficient_funds', `${from} holds ${available}, not ${amount}.`);
	}

	network.store.insert('transfers', { kind, reference, created_at: network.clock.iso() });

	const transfer_id = network.store.number('SELECT last_insert_rowid()');
	network.store.insert('entries', { transfer_id, account: from, amount: -amount });
	network.store.insert('entries', { transfer_id, account: to, amount });
}

export type LedgerEntry = {
	transferId: number;
	kind: string;
	reference: string;
	account: string;
	amount: number;
	createdAt: string;
};

/** Balances by account, every entry in order, and the sum of all, which is zero. */
export interface Ledger {
	accounts: { account: string; balance: number }[];
	entries: LedgerEntry[];
	sum: number;
}

export function readLedger(network: Network): Ledger {
	return {
		accounts: network.store.all<{ account: string; balance: number }>(
			'SELECT account, SUM(amount) AS balance FROM entries GROUP BY account ORDER BY account',
		),
		entries: network.store.all<LedgerEntry>(
			`SELECT transfer_id AS transferId, kind, reference, account, amount, created_at AS createdAt
			FROM entries JOIN transfers ON transfers.id = transfer_id ORDER BY entries.id`,
		),
		sum: network.store.number('SELECT COALESCE(SUM(amount), 0) FROM entries'),
	};
}
