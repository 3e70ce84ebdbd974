import type { Caller } from '../domain/access';
import * as fundings from '../domain/fundings';
import type { Network } from '../network/network';
import { findWorkspace, mayAccess, workspaceOf } from '../domain/workspaces';
import { conflict, notFound } from '../shared/errors';
import { documentUrl } from '../documents/serve';
import type { Handler } from './handler';

export const createFunding: Handler<'createFunding'> = ({ caller, body }, network) => ({
	funding: fundings.createFunding(network, workspaceOf(network, caller, body.workspace_id), body),
});

export const getFundingInvoicePdfUrl: Handler<'getFundingInvoicePdfUrl'> = (
	{ caller, path },
	network,
) => {
	const funding = fundingOf(network, caller, path.id);
	if (funding.document_key === null) {
		throw conflict(
			'no_invoice',
			`The funding ${funding.id} has no invoice: its method is balance.`,
		);
	}
	return { pdf_url: documentUrl(network.origin(), funding.document_key) };
};

export const linkDeposit: Handler<'linkDeposit'> = ({ caller, path, body }, network) => ({
	funding: fundings.linkDeposit(network, fundingOf(network, caller, path.id), body.deposit_id),
});

/** The funding, when it is of one of the caller's workspaces; else a 404 Refusal. */
function fundingOf(network: Network, caller: Caller, id: string): fundings.FundingRow {
	const funding = fundings.findFunding(network, id);
	const workspace =
		funding === undefined ? undefined : findWorkspace(network, funding.workspace_id);
	if (funding === undefined || workspace === undefined || !mayAccess(network, caller, workspace)) {
		throw notFound('funding', id);
	}
	return funding;
}
