import { LEFTOVERS, type Ledger } from '../../ledger/ledger';
import type { Payout } from './payout';

/**
 * Leaves the payables of payouts that no funding of this run has: each stays under its reference. Where the ledger
 * cannot write that, no payable is lost, since each was recorded before it was approved.
 */
export async function leaveUnfunded(ledger: Ledger, payouts: Payout[]): Promise<void> {
	const unfunded = payouts.filter(
		({ payableId, mayBeFunded }) => payableId !== undefined && !mayBeFunded,
	);
	for (const leftover of LEFTOVERS) {
		const alike = unfunded.filter((payout) => payout.leftover === leftover);
		const payments = alike.map(({ payment }) => payment);
		await ledger.leave(payments, leftover).catch(() => undefined);
	}
}
