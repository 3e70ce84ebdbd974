import type { Network } from '../network/network';

/** Where all money is that has ever come in, in minor units. The three parts add up to what was deposited. */
export interface MoneyFlow {
	deposited: number;
	/** In the workspaces' wallets. */
	left: number;
	/** In escrow: set aside for payables whose vendors cannot be paid yet. */
	waiting: number;
	/** Paid to vendors, whatever they have done with it. */
	paid: number;
}

export function moneyFlow({ store }: Network): MoneyFlow {
	const sumOf = (kind: string, condition = 'TRUE'): number =>
		// A range of the index, which has the amounts as well: ';' comes after ':'.
		store.number(
			`SELECT COALESCE(SUM(amount), 0) FROM entries
			WHERE account >= '${kind}:' AND account < '${kind};' AND ${condition}`,
		);

	const fromBank = "SELECT COALESCE(SUM(amount), 0) FROM entries WHERE account = 'bank'";
	const deposited = -store.number(`${fromBank} AND amount < 0`);
	const left = sumOf('workspace');
	const paid = sumOf('vendor', 'amount > 0');
	// The rest is in escrow, which has by far the most entries: they are not summed up.
	return { deposited, left, waiting: deposited - left - paid, paid };
}
