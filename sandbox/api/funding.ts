import { requireAccess, workspaceOf, type Caller } from '../domain/access';
import * as fundings from '../domain/fundings';
import { invoiceUrl } from '../domain/invoices';
import type { Network } from '../network/network';
import { conflict } from '../shared/errors';
import type { Handler } from './handler';

export const createFunding: Handler<'createFunding'> = ({ caller, body }, network) => ({
	funding: fundings.createFunding(network, workspaceOf(network, caller, body.workspace_id), body),
});

export const getFundingInvoicePdfUrl: Handler<'getFundingInvoicePdfUrl'> = (
	{ caller, path },
	network,
) => {
	const funding = fundingOf(network, caller, path.id);
	const url = invoiceUrl(network, funding);
	if (url === undefined) {
		throw conflict(
			'no_invoice',
			`The funding ${funding.id} has no invoice: its method is balance.`,
		);
	}
	return { pdf_url: url };
};

export const linkDeposit: Handler<'linkDeposit'> = ({ caller, path, body }, network) => ({
	funding: fundings.linkDeposit(network, fundingOf(network, caller, path.id), body.deposit_id),
});

const fundingOf = (network: Network, caller: Caller, id: string): fundings.FundingRow =>
	requireAccess(network, caller, 'funding', id, fundings.findFunding(network, id));
