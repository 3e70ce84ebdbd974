import type { Network } from '../network/network';
import { conflict, notFound } from '../shared/errors';
import {
	attachedPartners,
	ensurePartner,
	findPartnerByEmail,
	normalEmail,
	partnerStatusChanged,
} from './partners';
import { magicVendor } from './magic';
import { settleVendor } from './settlement';
import {
	findVendor,
	registerVendor,
	taxForm,
	type TaxForm,
	type VendorRow,
	type VendorStatus,
} from './vendors';

/**
 * The vendor accepts a workspace's invitation, by mail or by the workspace's link: joins the network
 * if new, and is attached to the workspace at once with whatever status the network has.
 */
export function acceptInvitation(
	network: Network,
	workspaceId: string,
	address: string,
	businessName: string | null,
): void {
	const email = normalEmail(address);
	const invited = findPartnerByEmail(network, workspaceId, email);
	if (invited !== undefined && invited.status !== 'invited') {
		return;
	}

	registerVendor(network, { email, businessName: businessName ?? invited?.business_name ?? null });
	ensurePartner(network, workspaceId, email, businessName);
	network.store.run(
		`UPDATE partners SET accepted_at = $at, address_known = 1
		WHERE workspace_id = $workspaceId AND email = $email`,
		{ at: network.clock.iso(), workspaceId, email },
	);

	partnerStatusChanged(network, workspaceId, email);
	settleVendor(network, email);
}

/** A vendor with a magic address joins as soon as a workspace invites it, and is verified. */
export function joinByMagic(network: Network, workspaceId: string, address: string): void {
	if (magicVendor(network, address) !== 'verified') {
		return;
	}

	if (findPartnerByEmail(network, workspaceId, address) === undefined) {
		return;
	}

	acceptInvitation(network, workspaceId, address, null);
	reviewVendor(network, address, 'verified');
}

/** From which statuses a decision can be reached; repeating a decision changes nothing. */
const reviewableFrom: Record<'verified' | 'rejected', VendorStatus[]> = {
	verified: ['pending', 'rejected'],
	rejected: ['pending'],
};

/**
 * The network decides on a vendor. Every workspace the vendor is attached to sees it, and a
 * verified vendor's waiting payables settle.
 * @throws HttpError 404 when the vendor is not in the network, 409 when a verified one is rejected
 */
export function reviewVendor(
	network: Network,
	emailOrServiceId: string,
	decision: 'verified' | 'rejected',
): VendorRow {
	const vendor = requireVendor(network, emailOrServiceId);
	if (vendor.status === decision) {
		return vendor;
	}

	if (!reviewableFrom[decision].includes(vendor.status)) {
		throw conflict('wrong_state', `A ${vendor.status} vendor cannot become ${decision}.`);
	}

	const updated: VendorRow = { ...vendor, status: decision, updated_at: network.clock.iso() };
	network.store.update('vendors', vendor.id, updated);
	vendorChanged(network, vendor.email);
	return updated;
}

/**
 * A vendor's tax form runs out, or is renewed; repeating it changes nothing. The workspaces of a
 * verified vendor see it in the partner's status, and its payables wait for the renewal.
 * @throws HttpError 404 when the vendor is not in the network
 */
export function changeTaxForm(
	network: Network,
	emailOrServiceId: string,
	form: TaxForm,
): VendorRow {
	const vendor = requireVendor(network, emailOrServiceId);
	if (taxForm(vendor) === form) {
		return vendor;
	}

	const at = network.clock.iso();
	const updated: VendorRow = {
		...vendor,
		tax_form_expired_at: form === 'expired' ? at : null,
		updated_at: at,
	};

	network.store.update('vendors', vendor.id, updated);
	if (vendor.status !== 'verified') {
		return updated;
	}

	vendorChanged(network, vendor.email);
	return updated;
}

/** @throws HttpError 404 when the vendor is not in the network */
export function requireVendor(network: Network, emailOrServiceId: string): VendorRow {
	const vendor = findVendor(network, emailOrServiceId);
	if (vendor === undefined) {
		throw notFound('vendor', emailOrServiceId);
	}

	return vendor;
}

/** Tells every workspace that the vendor has joined, and settles what is payable now. */
function vendorChanged(network: Network, email: string): void {
	for (const partner of attachedPartners(network, email)) {
		partnerStatusChanged(network, partner.workspace_id, email);
	}

	settleVendor(network, email);
}
