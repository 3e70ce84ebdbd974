import { LEFTOVERS, type Ledger } from '../../ledger/ledger';
import type { Payout } from './payout';

/**
 * Stores the payables that no funding of this run has: each stays under its reference. Where the ledger cannot
 * write that, no payable is lost, since each was recorded before it was approved.
 */
export async function storeLeftovers(ledger: Ledger, payouts: Payout[]): Promise<void> {
	const unfunded = payouts.filter(
		({ payableId, mayBeFunded }) => payableId !== undefined && !mayBeFunded,
	);
	for (const leftover of LEFTOVERS) {
		const alike = unfunded.filter((payout) => payout.leftover === leftover);
		const payments = alike.map(({ payment }) => payment);
		await ledger.storeLeftover(payments, leftover).catch(() => undefined);
	}
}
