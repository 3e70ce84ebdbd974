import type { components } from '../../contract/service';
import { conflict, unprocessable } from '../shared/errors';
import { newId, newSecret } from '../shared/ids';
import { describeAmount } from '../shared/money';
import { allocate } from './allocations';
import { balance, fundingEscrow, recordTransfer, workspaceWallet } from './ledger';
import type { Network } from '../network/network';
import { findPayable, type Payable } from './payables';
import { settleFunding } from './settlement';
import type { WorkspaceRow } from './workspaces';

export type Funding = Required<components['schemas']['Funding']>;
type FundingCreate = components['schemas']['FundingCreate'];

export type FundingRow = Omit<Funding, 'payable_ids' | 'deposit_id'> & {
	document_key: string | null;
};

const select = `SELECT *, (SELECT id FROM deposits WHERE funding_id = fundings.id) AS deposit_id,
	(SELECT json_group_array(payable_id ORDER BY id) FROM allocations WHERE funding_id = fundings.id)
		AS payable_ids FROM fundings`;

type PresentedRow = FundingRow & { deposit_id: string | null; payable_ids: string };

/** Every funding as the API answers it, or those with this ID; oldest first. */
export const readFundings = (network: Network, id: string | null = null): Funding[] =>
	network.store
		.all<PresentedRow>(`${select} WHERE $id IS NULL OR id = $id ORDER BY rowid`, { id })
		.map(({ document_key: _, payable_ids, ...row }) => ({
			...row,
			payable_ids: JSON.parse(payable_ids) as string[],
		}));

export function findFunding(network: Network, id: string): FundingRow | undefined {
	return network.store.get<FundingRow>('fundings', id);
}

export function findFundingByDocument(network: Network, key: string): FundingRow | undefined {
	return network.store.first<FundingRow>('SELECT * FROM fundings WHERE document_key = $key', {
		key,
	});
}

export const INVOICE_PATH = '/documents/invoice';

/** The address of a funding's invoice, which needs no token; undefined when it has no invoice. */
export const invoiceUrl = (network: Network, { document_key }: FundingRow): string | undefined =>
	document_key === null ? undefined : `${network.origin()}${INVOICE_PATH}/${document_key}.pdf`;

/**
 * Funds approved payables of one workspace.
 * @throws HttpError 422 for payables that are not there, a wrong sum or too little money, 409 for
 * payables in the wrong state or, unless second fundings are accepted, in another funding; each
 * names the payable
 */
export function createFunding(
	network: Network,
	workspace: WorkspaceRow,
	request: FundingCreate,
): Funding {
	const payables = request.payable_ids.map((id) => fundablePayable(network, workspace, id));
	const total = payables.reduce((sum, payable) => sum + BigInt(payable.amount), 0n);
	if (total !== BigInt(request.amount)) {
		throw unprocessable(
			'amount_mismatch',
			`The payables add up to ${total} us_cents, not to the amount of ${describeAmount(request.amount)}.`,
			'amount',
		);
	}

	const at = network.clock.iso();
	const funding: FundingRow = {
		id: newId('funding'),
		workspace_id: workspace.id,
		method: request.method,
		amount: request.amount,
		amount_denomination: request.amount_denomination ?? 'us_cents',
		description: request.description ?? null,
		po_number: request.po_number ?? null,
		status: 'awaiting_deposit',
		document_key: request.method === 'invoice' ? newSecret() : null,
		created_at: at,
		updated_at: at,
	};

	network.store.insert('fundings', funding);
	allocate(network, funding.id, payables);
	// The money of an invoice comes with the deposit that is linked later.
	if (request.method === 'balance') {
		collectFunds(network, funding);
	}

	return presentStored(network, funding.id);
}

/**
 * Matches a deposit to an invoice funding; its money leaves the wallet and the payables settle.
 * @throws HttpError 409 when either is matched already or the funding needs no deposit, 422 when the
 * deposit is not the workspace's, has another amount, or its money has been spent meanwhile
 */
export function linkDeposit(network: Network, funding: FundingRow, depositId: string): Funding {
	if (funding.method !== 'invoice') {
		throw conflict('wrong_method', `The funding ${funding.id} was paid from the wallet's balance.`);
	}

	if (funding.status === 'funded') {
		throw conflict('already_linked', `The funding ${funding.id} has its deposit already.`);
	}

	const deposit = matchingDeposit(network, funding, depositId);
	network.store.update('deposits', deposit.id, { funding_id: funding.id });
	collectFunds(network, funding);
	return presentStored(network, funding.id);
}

type DepositRow = { id: string; workspace_id: string; amount: number; funding_id: string | null };

function matchingDeposit(network: Network, funding: FundingRow, id: string): DepositRow {
	const deposit = network.store.get<DepositRow>('deposits', id);
	if (deposit?.workspace_id !== funding.workspace_id) {
		throw unprocessable(
			'unknown_deposit',
			`There is no deposit ${id} in the funding's workspace.`,
			'deposit_id',
		);
	}

	if (deposit.funding_id !== null) {
		throw conflict('already_linked', `The deposit ${id} is linked to a funding already.`);
	}

	if (deposit.amount !== funding.amount) {
		throw unprocessable(
			'amount_mismatch',
			`The deposit is ${describeAmount(deposit.amount)}, but the funding needs exactly ${describeAmount(funding.amount)}.`,
			'deposit_id',
		);
	}

	return deposit;
}

/** Transfers the funding's money from the wallet to its escrow and settles what is ready. */
function collectFunds(network: Network, funding: FundingRow): void {
	const wallet = workspaceWallet(funding.workspace_id);
	const available = balance(network, wallet);
	if (available < funding.amount) {
		throw unprocessable(
			'insufficient_funds',
			`The wallet holds ${describeAmount(available)}, which is not enough for ${describeAmount(funding.amount)}.`,
			'amount',
		);
	}

	recordTransfer(network, {
		kind: 'funding',
		reference: funding.id,
		from: wallet,
		to: fundingEscrow(funding.id),
		amount: funding.amount,
	});

	const changes = { status: 'funded', updated_at: network.clock.iso() };
	network.store.update('fundings', funding.id, changes);
	settleFunding(network, funding.id);
}

function fundablePayable(network: Network, workspace: WorkspaceRow, id: string): Payable {
	const payable = findPayable(network, id);
	if (payable === undefined || payable.workspace_id !== workspace.id) {
		throw unprocessable(
			'unknown_payable',
			`There is no payable ${id} in the workspace ${workspace.id}.`,
			'payable_ids',
		);
	}

	const isFunded = payable.funding_id !== null;
	if (isFunded && network.settings.values.secondFunding === 'accept') {
		return payable;
	}

	if (isFunded) {
		throw conflict('already_funded', `The payable ${id} is in another funding already.`);
	}

	if (payable.status !== 'approved') {
		throw conflict(
			'wrong_state',
			`The payable ${id} is in ${payable.status}: approve it before it is funded.`,
		);
	}

	return payable;
}

function presentStored(network: Network, id: string): Funding {
	const [funding] = readFundings(network, id);
	if (funding === undefined) {
		throw new Error(`The funding ${id} was not stored.`);
	}

	return funding;
}
