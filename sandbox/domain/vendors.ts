import type { Network } from '../network/network';
import { newId, newSecret } from '../shared/ids';
import { normalEmail } from './partners';

export type VendorStatus = 'pending' | 'verified' | 'rejected';

/** A vendor as stored; `id` is the network identifier (payee_service_id). */
export type VendorRow = {
	id: string;
	email: string;
	business_name: string | null;
	status: VendorStatus;
	tax_form_expired_at: string | null;
	/** Opens the vendor's own page, whose identifier the buyers know. */
	page_key: string;
	created_at: string;
	updated_at: string;
};

export function findVendor(network: Network, emailOrServiceId: string): VendorRow | undefined {
	return network.store.first<VendorRow>(
		'SELECT * FROM vendors WHERE id = $key UNION SELECT * FROM vendors WHERE email = $email',
		{ key: emailOrServiceId, email: normalEmail(emailOrServiceId) },
	);
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
	if (known !== undefined) {
		return known;
	}

	const at = network.clock.iso();
	const row: VendorRow = {
		id: vendor.serviceId ?? newId('vendor'),
		email: normalEmail(vendor.email),
		business_name: vendor.businessName ?? null,
		status: vendor.status ?? 'pending',
		tax_form_expired_at: null,
		page_key: newSecret(),
		created_at: at,
		updated_at: at,
	};

	network.store.insert('vendors', row);
	return row;
}

/** The address of the vendor's own page. */
export const vendorPage = (id: string, key: string): string =>
	`/vendor/${encodeURIComponent(id)}?key=${encodeURIComponent(key)}`;

export function renameVendor(network: Network, email: string, businessName: string): void {
	network.store.run(
		'UPDATE vendors SET business_name = $businessName, updated_at = $at WHERE email = $email',
		{ businessName, at: network.clock.iso(), email: normalEmail(email) },
	);
}

export type TaxForm = 'valid' | 'expired';

export const taxForm = ({ tax_form_expired_at }: VendorRow): TaxForm =>
	tax_form_expired_at === null ? 'valid' : 'expired';

/** The one status that tells whether the vendor can be paid: verification and tax form together. */
export const readiness = (vendor: VendorRow): VendorStatus | 'tax_form_expired' =>
	vendor.status === 'verified' && taxForm(vendor) === 'expired'
		? 'tax_form_expired'
		: vendor.status;
