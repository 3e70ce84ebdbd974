import { balance, vendorWallet, workspaceWallet } from './ledger';
import type { Network } from '../network/network';
import { taxForm, type TaxForm, type VendorRow, type VendorStatus } from './vendors';
import { inviteUrl, type WorkspaceRow } from './workspaces';

/** A vendor of the network; `balance` in minor units is what buyers never see. */
export type VendorView = {
	serviceId: string;
	email: string;
	businessName: string | null;
	status: VendorStatus;
	taxForm: TaxForm;
	balance: number;
};

/** Every vendor, or the one with this ID; in the order in which they joined. */
export const vendorViews = (network: Network, id: string | null = null): VendorView[] =>
	network.store
		.all<VendorRow>('SELECT * FROM vendors WHERE $id IS NULL OR id = $id ORDER BY rowid', { id })
		.map((vendor) => ({
			serviceId: vendor.id,
			email: vendor.email,
			businessName: vendor.business_name,
			status: vendor.status,
			taxForm: taxForm(vendor),
			balance: balance(network, vendorWallet(vendor.id)),
		}));

/** A workspace with what its wallet holds, in minor units. */
export type WorkspaceView = {
	id: string;
	buyer: string;
	displayName: string;
	balance: number;
	accountNumber: string;
	routingNumber: string;
	inviteUrl: string;
};

/** Every workspace, or the one with this ID; in the order of their creation. */
export const workspaceViews = (network: Network, id: string | null = null): WorkspaceView[] =>
	network.store
		.all<WorkspaceRow & { buyer: string }>(
			`SELECT workspaces.*, buyers.name AS buyer FROM workspaces
			JOIN buyers ON buyers.id = buyer_id
			WHERE $id IS NULL OR workspaces.id = $id ORDER BY workspaces.rowid`,
			{ id },
		)
		.map((row) => ({
			id: row.id,
			buyer: row.buyer,
			displayName: row.display_name,
			balance: balance(network, workspaceWallet(row.id)),
			accountNumber: row.account_number,
			routingNumber: row.routing_number,
			inviteUrl: inviteUrl(network, row),
		}));
