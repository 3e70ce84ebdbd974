import type { FundingRow } from './fundings';
import type { Network } from '../network/network';
import { payablesOfFunding } from './payables';
import { findWorkspace } from './workspaces';

/** Under which path of the API's host the invoices are. */
export const INVOICE_PATH = '/documents/invoice';

/**
 * Where the invoice of a funding is downloaded, or undefined when it has none. No token is needed:
 * the key in the URL cannot be guessed.
 */
export const invoiceUrl = (network: Network, { document_key }: FundingRow): string | undefined =>
	document_key === null ? undefined : `${network.origin()}${INVOICE_PATH}/${document_key}.pdf`;

/** Everything that an invoice shows. Amounts are in minor units. */
export interface Invoice {
	fundingId: string;
	issuedAt: string;
	buyer: string;
	workspace: string;
	poNumber: string | null;
	description: string | null;
	amount: number;
	accountNumber: string;
	routingNumber: string;
	payables: {
		id: string;
		payee: string;
		description: string | null;
		dueDate: string | null;
		amount: number;
	}[];
}

/** Gathers the invoice of a funding. */
export function readInvoice(network: Network, funding: FundingRow): Invoice {
	const workspace = findWorkspace(network, funding.workspace_id);
	if (workspace === undefined) throw new Error(`The funding ${funding.id} has no workspace.`);
	const buyer = network.store.first<{ name: string }>('SELECT name FROM buyers WHERE id = $id', {
		id: workspace.buyer_id,
	});
	return {
		fundingId: funding.id,
		issuedAt: funding.created_at,
		buyer: buyer?.name ?? '',
		workspace: workspace.display_name,
		poNumber: funding.po_number,
		description: funding.description,
		amount: funding.amount,
		accountNumber: workspace.account_number,
		routingNumber: workspace.routing_number,
		payables: payablesOfFunding(network, funding.id).map((payable) => ({
			id: payable.id,
			payee: payable.payee_email,
			description: payable.description,
			dueDate: payable.due_date,
			amount: payable.amount,
		})),
	};
}
