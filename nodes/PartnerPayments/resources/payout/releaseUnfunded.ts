import { LEFTOVERS, type Ledger } from '../../ledger/ledger';
import type { Payout } from './payout';

/**
 * Releases the payables of payouts that no funding of this run has: each stays under its reference. A release
 * that the ledger cannot write is not lost, since each payable was recorded before it was approved.
 */
export async function releaseUnfunded(ledger: Ledger, payouts: Payout[]): Promise<void> {
	const unfunded = payouts.filter(
		({ payableId, mayBeFunded }) => payableId !== undefined && !mayBeFunded,
	);
	for (const leftover of LEFTOVERS) {
		const alike = unfunded.filter((payout) => payout.leftover === leftover);
		await ledger
			.release(
				alike.map(({ payment }) => payment),
				leftover,
			)
			.catch(() => undefined);
	}
}
