import { recordEvent } from '../network/events';
import { readSetting, writeSetting } from '../store/settings';
import {
	inSettlement,
	readyForVendor,
	readyInFunding,
	setAllocationStatus,
	type Allocation,
} from './allocations';
import { fundingEscrow, recordTransfer, vendorWallet } from './ledger';
import type { Network } from '../network/network';
import { findPayable, presentPayable, type PayableRow } from './payables';

const MODE = 'settlement';

/**
 * `automatic`: a payable passes through will_pay into paid in the commit that makes it payable.
 * `manual`: it stays in will_pay, its money in escrow, until the mode is automatic again.
 */
export type SettlementMode = 'automatic' | 'manual';

const settlementMode = (network: Network): SettlementMode =>
	readSetting(network.store, MODE) === 'manual' ? 'manual' : 'automatic';

/** Changes the mode; turning to automatic pays everything that has waited in will_pay. */
export function setSettlementMode(network: Network, mode: SettlementMode): void {
	writeSetting(network.store, MODE, mode);
	if (mode === 'manual') return;
	for (const allocation of inSettlement(network)) payOut(network, allocation);
}

/** Settles what is ready in a funding that has just got its money. */
export function settleFunding(network: Network, fundingId: string): void {
	settle(network, readyInFunding(network, fundingId));
}

/** Settles what has waited for this vendor, in any workspace the vendor has joined. */
export function settleVendor(network: Network, email: string): void {
	settle(network, readyForVendor(network, email));
}

function settle(network: Network, allocations: Allocation[]): void {
	const isManual = settlementMode(network) === 'manual';
	for (const allocation of allocations) {
		setAllocationStatus(network, allocation, 'will_pay');
		// A payable that is funded again does not go back to an earlier state.
		const payable = requirePayable(network, allocation);
		if (payable.status === 'approved') setStatus(network, payable, 'will_pay');
		if (!isManual) payOut(network, allocation);
	}
}

/** Pays the vendor. A payable that is paid already is paid again, and subscribers hear of it again. */
function payOut(network: Network, allocation: Allocation): void {
	const payable = requirePayable(network, allocation);
	if (payable.service_id === null) {
		throw new Error(`The payable ${payable.id} cannot be paid: it has no vendor.`);
	}
	recordTransfer(network, {
		kind: 'payment',
		reference: payable.id,
		from: fundingEscrow(allocation.fundingId),
		to: vendorWallet(payable.service_id),
		amount: payable.amount,
	});
	setAllocationStatus(network, allocation, 'paid');
	if (payable.status !== 'paid') setStatus(network, payable, 'paid');
	recordEvent(network, 'payable.paid', payable.workspace_id, {
		payable: presentPayable(requirePayable(network, allocation)),
	});
}

function setStatus(network: Network, { id }: PayableRow, status: 'will_pay' | 'paid'): void {
	network.store.run('UPDATE payables SET status = $status, updated_at = $at WHERE id = $id', {
		status,
		at: network.clock.iso(),
		id,
	});
	const row = requirePayable(network, { payableId: id });
	const payable = presentPayable(row);
	recordEvent(network, 'payable.status_changed', row.workspace_id, { payable });
}

function requirePayable(network: Network, { payableId }: Pick<Allocation, 'payableId'>) {
	const row = findPayable(network, payableId);
	if (row === undefined) throw new Error(`The payable ${payableId} has vanished.`);
	return row;
}
