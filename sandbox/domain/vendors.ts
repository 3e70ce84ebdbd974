import { conflict, notFound } from '../shared/errors';
import { newId } from '../shared/ids';
import type { Network } from '../network/network';
import {
	attachedPartners,
	ensurePartner,
	findPartnerByEmail,
	normalEmail,
	partnerStatusChanged,
} from './partners';
import { settleVendor } from './settlement';

/** The network's own verdict on a vendor, the same for every workspace. */
export type VendorStatus = 'pending' | 'verified' | 'rejected';

/** A vendor as stored; `id` is the network identifier (payee_service_id). */
export type VendorRow = {
	id: string;
	email: string;
	business_name: string | null;
	status: VendorStatus;
	/** When the tax form ran out; null while it is valid. */
	tax_form_expired_at: string | null;
	created_at: string;
	updated_at: string;
};

/** The vendor with this address or network identifier, or undefined. */
export function findVendor(network: Network, emailOrServiceId: string): VendorRow | undefined {
	return network.store.all<VendorRow>(
		'SELECT * FROM vendors WHERE id = $key UNION SELECT * FROM vendors WHERE email = $email',
		{ key: emailOrServiceId, email: normalEmail(emailOrServiceId) },
	)[0];
}

/** Enters a vendor into the network; one that is there already stays as it is. */
export function registerVendor(
	network: Network,
	vendor: {
		email: string;
		businessName?: string | null;
		status?: VendorStatus;
		serviceId?: string;
	},
): VendorRow {
	const known = findVendor(network, vendor.email);
	if (known !== undefined) return known;
	const at = network.clock.iso();
	const row: VendorRow = {
		id: vendor.serviceId ?? newId('vendor'),
		email: normalEmail(vendor.email),
		business_name: vendor.businessName ?? null,
		status: vendor.status ?? 'pending',
		tax_form_expired_at: null,
		created_at: at,
		updated_at: at,
	};
	network.store.run(
		`INSERT INTO vendors (id, email, business_name, status, tax_form_expired_at, created_at, updated_at)
		VALUES ($id, $email, $business_name, $status, $tax_form_expired_at, $created_at, $updated_at)`,
		row,
	);
	return row;
}

/** A vendor says under which name the network is to know it. */
export function renameVendor(network: Network, email: string, businessName: string): void {
	network.store.run(
		'UPDATE vendors SET business_name = $businessName, updated_at = $at WHERE email = $email',
		{ businessName, at: network.clock.iso(), email: normalEmail(email) },
	);
}

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
	if (invited !== undefined && invited.status !== 'invited') return;
	registerVendor(network, { email, businessName: businessName ?? invited?.business_name ?? null });
	ensurePartner(network, workspaceId, email, businessName);
	network.store.run(
		'UPDATE partners SET accepted_at = $at WHERE workspace_id = $workspaceId AND email = $email',
		{ at: network.clock.iso(), workspaceId, email },
	);
	partnerStatusChanged(network, workspaceId, email);
	settleVendor(network, email);
}

/** From which statuses a verdict can be reached; repeating a verdict changes nothing. */
const verdicts: Record<'verified' | 'rejected', VendorStatus[]> = {
	verified: ['pending', 'rejected'],
	rejected: ['pending'],
};

/**
 * The network's verdict on a vendor. Every workspace the vendor is attached to sees it, and a
 * verified vendor's waiting payables settle.
 * @throws Refusal 404 when the vendor is not in the network, 409 when a verified one is rejected
 */
export function decideVendor(
	network: Network,
	emailOrServiceId: string,
	verdict: 'verified' | 'rejected',
): VendorRow {
	const vendor = findVendor(network, emailOrServiceId);
	if (vendor === undefined) throw notFound('vendor', emailOrServiceId);
	if (vendor.status === verdict) return vendor;
	if (!verdicts[verdict].includes(vendor.status)) {
		throw conflict('wrong_state', `A ${vendor.status} vendor cannot become ${verdict}.`);
	}
	const updated: VendorRow = { ...vendor, status: verdict, updated_at: network.clock.iso() };
	network.store.run('UPDATE vendors SET status = $status, updated_at = $at WHERE id = $id', {
		status: verdict,
		at: updated.updated_at,
		id: vendor.id,
	});
	for (const partner of attachedPartners(network, vendor.email)) {
		partnerStatusChanged(network, partner.workspace_id, vendor.email);
	}
	settleVendor(network, vendor.email);
	return updated;
}

/** Whether the network has a tax form of the vendor that it can use. */
export type TaxForm = 'valid' | 'expired';

/** A tax form is valid until the control API says otherwise. */
export const taxForm = ({ tax_form_expired_at }: VendorRow): TaxForm =>
	tax_form_expired_at === null ? 'valid' : 'expired';

/**
 * A vendor's tax form runs out, or is renewed; repeating it changes nothing. The workspaces of a
 * verified vendor see it in the partner's status, and its payables wait for the renewal.
 * @throws Refusal 404 when the vendor is not in the network
 */
export function changeTaxForm(
	network: Network,
	emailOrServiceId: string,
	form: TaxForm,
): VendorRow {
	const vendor = findVendor(network, emailOrServiceId);
	if (vendor === undefined) throw notFound('vendor', emailOrServiceId);
	if (taxForm(vendor) === form) return vendor;
	const at = network.clock.iso();
	const updated: VendorRow = {
		...vendor,
		tax_form_expired_at: form === 'expired' ? at : null,
		updated_at: at,
	};
	network.store.run(
		'UPDATE vendors SET tax_form_expired_at = $expiredAt, updated_at = $at WHERE id = $id',
		{ expiredAt: updated.tax_form_expired_at, at, id: vendor.id },
	);
	if (vendor.status !== 'verified') return updated;
	for (const partner of attachedPartners(network, vendor.email)) {
		partnerStatusChanged(network, partner.workspace_id, vendor.email);
	}
	settleVendor(network, vendor.email);
	return updated;
}

/** Every vendor of the network, in the order in which they joined. */
export function allVendors(network: Network): VendorRow[] {
	return network.store.all<VendorRow>('SELECT * FROM vendors ORDER BY rowid');
}
