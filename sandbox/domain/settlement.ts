import { recordEvent } from '../network/events';
import { readSetting, writeSetting } from '../store/settings';
import { fundingEscrow, recordTransfer, vendorWallet } from './ledger';
import type { Network } from '../network/network';
import { findPayable, presentPayable } from './payables';

const MODE = 'settlement';

/**
 * `automatic`: a payable passes through will_pay into paid in the commit that makes it payable.
 * `manual`: it stays in will_pay, its money in escrow, until the mode is automatic again.
 */
export type SettlementMode = 'automatic' | 'manual';

export const settlementMode = (network: Network): SettlementMode =>
	readSetting(network.store, MODE) === 'manual' ? 'manual' : 'automatic';

/** Changes the mode; turning to automatic pays everything that has waited in will_pay. */
export function setSettlementMode(network: Network, mode: SettlementMode): void {
	writeSetting(network.store, MODE, mode);
	if (mode === 'manual') return;
	for (const { id } of network.store.all<{ id: string }>(
		"SELECT id FROM payables WHERE status = 'will_pay' ORDER BY rowid",
	)) {
		payOut(network, id);
	}
}

// Ready means: the money is in escrow, and a verified vendor with a valid tax form has joined the
// paying workspace.
const ready = `
	SELECT payables.id FROM payables
	JOIN fundings ON fundings.id = payables.funding_id AND fundings.status = 'funded'
	JOIN vendors ON vendors.email = payables.payee_email AND vendors.status = 'verified'
		AND vendors.tax_form_expired_at IS NULL
	JOIN partners ON partners.workspace_id = payables.workspace_id
		AND partners.email = payables.payee_email AND partners.accepted_at IS NOT NULL
	WHERE payables.status = 'approved'`;

/** Settles what is ready in a funding that has just got its money. */
export function settleFunding(network: Network, fundingId: string): void {
	settle(
		network,
		network.store.all<{ id: string }>(
			`${ready} AND payables.funding_id = $fundingId ORDER BY payables.funding_position`,
			{ fundingId },
		),
	);
}

/** Settles what has waited for this vendor, in any workspace the vendor has joined. */
export function settleVendor(network: Network, email: string): void {
	settle(
		network,
		network.store.all<{ id: string }>(
			`${ready} AND payables.payee_email = $email ORDER BY payables.rowid`,
			{ email },
		),
	);
}

function settle(network: Network, payables: { id: string }[]): void {
	const isManual = settlementMode(network) === 'manual';
	for (const { id } of payables) {
		setStatus(network, id, 'will_pay');
		if (!isManual) payOut(network, id);
	}
}

function payOut(network: Network, id: string): void {
	const payable = findPayable(network, id);
	if (payable === undefined || payable.funding_id === null || payable.service_id === null) {
		throw new Error(`The payable ${id} cannot be paid: it has no funding or no vendor.`);
	}
	recordTransfer(network, {
		kind: 'payment',
		reference: id,
		from: fundingEscrow(payable.funding_id),
		to: vendorWallet(payable.service_id),
		amount: payable.amount,
	});
	const paid = setStatus(network, id, 'paid');
	recordEvent(network, 'payable.paid', payable.workspace_id, { payable: paid });
}

function setStatus(network: Network, id: string, status: 'will_pay' | 'paid') {
	network.store.run('UPDATE payables SET status = $status, updated_at = $at WHERE id = $id', {
		status,
		at: network.clock.iso(),
		id,
	});
	const row = findPayable(network, id);
	if (row === undefined) throw new Error(`The payable ${id} has vanished.`);
	const payable = presentPayable(row);
	recordEvent(network, 'payable.status_changed', row.workspace_id, { payable });
	return payable;
}
