import { LEFTOVERS, type Ledger } from '../../ledger/ledger';
import type { Payout } from './payout';

/**
 * Leaves the payables of payouts that this run has not funded, each under its reference. What the ledger
 * cannot write now it knows all the same, since each payable was recorded before it was approved.
 */
export async function leave(ledger: Ledger, payouts: Payout[]): Promise<void> {
	const withPayable = payouts.filter(
		({ payableId, status }) =>
			payableId !== undefined && status !== 'funded' && status !== 'awaiting_deposit',
	);
	for (const leftover of LEFTOVERS) {
		const alike = withPayable.filter((payout) => payout.leftover === leftover);
		await ledger
			.release(
				alike.map(({ payment }) => payment),
				leftover,
			)
			.catch(() => undefined);
	}
}
