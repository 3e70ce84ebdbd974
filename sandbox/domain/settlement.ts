import {
	BATCH,
	inSettlement,
	readyForVendor,
	readyInFunding,
	setAllocationStatus,
	vendorsWithReady,
	type Allocation,
} from './allocations';
import { fundingEscrow, recordTransfer, vendorWallet } from './ledger';
import type { Network } from '../network/network';
import { moveTo, recordPayableEvent, requirePayable, type Payable } from './payables';

/** Settles what is ready in a funding that has just got its money. */
export function settleFunding(network: Network, fundingId: string): void {
	inBatches(network, () => readyInFunding(network, fundingId), begin);
}

/** Settles what has waited for this vendor, in any workspace the vendor has joined. */
export function settleVendor(network: Network, email: string): void {
	inBatches(network, (from) => readyForVendor(network, email, from), begin);
}

/** Settles what is ready: the last process has left it, or a setting holds it back no more. */
export function resumeSettlement(network: Network): void {
	for (const email of vendorsWithReady(network)) {
		settleVendor(network, email);
	}
}

/** Pays everything in will_pay that the setting does not hold back any more. */
export function payWhatIsDue(network: Network): void {
	const { settlement } = network.settings.values;
	if (settlement === 'manual') {
		return;
	}

	const dueBy = settlement === 'due_date' ? network.clock.iso() : null;
	inBatches(network, () => inSettlement(network, dueBy), payOut);
}

/** Does the first batch at once, and each further one in a transaction and a turn of its own. */
function inBatches(
	network: Network,
	read: (from: number) => Allocation[],
	act: (network: Network, allocation: Allocation) => void,
	from = 0,
): void {
	const batch = read(from);
	for (const allocation of batch) {
		act(network, allocation);
	}

	const last = batch[BATCH - 1];
	if (last === undefined) {
		return;
	}

	network.later(() => {
		inBatches(network, read, act, last.payableNumber);
	});
}

function begin(network: Network, allocation: Allocation): void {
	setAllocationStatus(network, allocation, 'will_pay');

	// A payable that is funded again does not go back to an earlier state.
	const payable = requirePayable(network, allocation.payableId);
	if (payable.status === 'approved') {
		setStatus(network, payable, 'will_pay');
	}

	const { settlement } = network.settings.values;
	const isEarly = (payable.due_date ?? '') > network.clock.iso();
	if (settlement === 'automatic' || (settlement === 'due_date' && !isEarly)) {
		payOut(network, allocation);
	}
}

/** Pays the vendor. A payable that is paid already is paid again, and subscribers hear of it again. */
function payOut(network: Network, allocation: Allocation): void {
	const payable = requirePayable(network, allocation.payableId);
	if (payable.payee_service_id === null) {
		throw new Error(`The payable ${payable.id} cannot be paid: it has no vendor.`);
	}

	recordTransfer(network, {
		kind: 'payment',
		reference: payable.id,
		from: fundingEscrow(allocation.fundingId),
		to: vendorWallet(payable.payee_service_id),
		amount: payable.amount,
	});

	setAllocationStatus(network, allocation, 'paid');
	if (payable.status !== 'paid') {
		setStatus(network, payable, 'paid');
	}

	recordPayableEvent(network, 'payable.paid', requirePayable(network, allocation.payableId));
}

function setStatus(network: Network, { id }: Payable, status: 'will_pay' | 'paid'): void {
	moveTo(network, id, status);
	recordPayableEvent(network, 'payable.status_changed', requirePayable(network, id));
}
