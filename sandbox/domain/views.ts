import { balance, vendorWallet, workspaceWallet } from './ledger';
import type { Network } from '../network/network';
import { taxForm, type TaxForm, type VendorRow, type VendorStatus } from './vendors';
import { inviteUrl, type WorkspaceRow } from './workspaces';

/** A vendor of the network; `balance` in minor units is what buyers never see. */
export interface VendorView {
	serviceId: string;
	email: string;
	businessName: string | null;
	status: VendorStatus;
	taxForm: TaxForm;
	balance: number;
}

export const vendorView =
	(network: Network) =>
	(vendor: VendorRow): VendorView => ({
		serviceId: vendor.id,
		email: vendor.email,
		businessName: vendor.business_name,
		status: vendor.status,
		taxForm: taxForm(vendor),
		balance: balance(network, vendorWallet(vendor.id)),
	});

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

export const workspaceViews = (network: Network): WorkspaceView[] => readViews(network, null);

export const findWorkspaceView = (network: Network, id: string): WorkspaceView | undefined =>
	readViews(network, id)[0];

function readViews(network: Network, id: string | null): WorkspaceView[] {
	return network.store
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
}
