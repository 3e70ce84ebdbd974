import { vendorWallet } from './ledger';
import type { Network } from '../network/network';
import { normalEmail } from './partners';
import type { WorkspaceRow } from './workspaces';

/** A payment that a vendor has got. */
export type Payment = {
	transferId: number;
	payableId: string;
	paidAt: string;
	/** Name of the workspace that paid. */
	workspace: string;
	description: string | null;
	amount: number;
};

/** No more rows than these are shown to a vendor. */
export const MOST_SHOWN = 100;

/** What a vendor has been paid, newest first, and how often. */
export function paymentsTo(network: Network, vendorId: string): { rows: Payment[]; total: number } {
	const parameters = { account: vendorWallet(vendorId) };
	const rows = network.store.all<Payment>(
		`SELECT transfers.id AS transferId, payables.id AS payableId, transfers.created_at AS paidAt,
			workspaces.display_name AS workspace, payables.description, payables.amount
		FROM entries
		JOIN transfers ON transfers.id = entries.transfer_id AND transfers.kind = 'payment'
		JOIN payables ON payables.id = transfers.reference
		JOIN workspaces ON workspaces.id = payables.workspace_id
		WHERE entries.account = $account ORDER BY entries.id DESC LIMIT ${MOST_SHOWN}`,
		parameters,
	);
	const counted = 'SELECT count(*) AS total FROM entries WHERE account = $account';
	return { rows, total: network.store.first<{ total: number }>(counted, parameters)?.total ?? 0 };
}

/** Why a payable has not been paid. */
export type Obstacle =
	| 'not_funded'
	| 'awaiting_deposit'
	| 'not_accepted'
	| 'not_verified'
	| 'tax_form_expired'
	| 'on_its_way';

/** A payable that a vendor waits for. */
export interface WaitingPayable {
	payableId: string;
	workspace: string;
	description: string | null;
	dueDate: string | null;
	amount: number;
	obstacles: Obstacle[];
}

type WaitingRow = {
	id: string;
	workspace: string;
	description: string | null;
	due_date: string | null;
	amount: number;
	status: 'approved' | 'will_pay';
	funding_status: 'awaiting_deposit' | 'funded' | null;
	vendor_status: string | null;
	tax_form_expired_at: string | null;
	accepted_at: string | null;
};

// Each says whether it is in the way of an approved payable.
const obstacles: [Obstacle, (row: WaitingRow) => boolean][] = [
	['not_funded', ({ funding_status }) => funding_status === null],
	['awaiting_deposit', ({ funding_status }) => funding_status === 'awaiting_deposit'],
	['not_accepted', ({ accepted_at }) => accepted_at === null],
	['not_verified', ({ vendor_status }) => vendor_status !== 'verified'],
	['tax_form_expired', ({ tax_form_expired_at }) => tax_form_expired_at !== null],
];

/** What has been approved for this address and not been paid, oldest first, and why; and how much. */
export function payablesWaitingFor(
	network: Network,
	address: string,
): { rows: WaitingPayable[]; total: number } {
	const email = normalEmail(address);
	const rows: WaitingPayable[] = network.store
		.all<WaitingRow>(
			`SELECT payables.id, workspaces.display_name AS workspace, payables.description,
				payables.due_date, payables.amount, payables.status, fundings.status AS funding_status,
				vendors.status AS vendor_status, vendors.tax_form_expired_at, partners.accepted_at
			FROM payables
			JOIN workspaces ON workspaces.id = payables.workspace_id
			LEFT JOIN fundings ON fundings.id =
				(SELECT funding_id FROM allocations WHERE payable_id = payables.id ORDER BY id DESC LIMIT 1)
			LEFT JOIN vendors ON vendors.email = payables.payee_email
			LEFT JOIN partners ON partners.workspace_id = payables.workspace_id
				AND partners.email = payables.payee_email
			WHERE payables.payee_email = $email AND payables.status IN ('approved', 'will_pay')
			ORDER BY payables.rowid LIMIT ${MOST_SHOWN}`,
			{ email },
		)
		.map((row) => ({
			payableId: row.id,
			workspace: row.workspace,
			description: row.description,
			dueDate: row.due_date,
			amount: row.amount,
			obstacles:
				row.status === 'will_pay'
					? ['on_its_way']
					: obstacles.filter(([, isThere]) => isThere(row)).map(([obstacle]) => obstacle),
		}));
	const counted = `SELECT count(*) AS total FROM payables
		WHERE payee_email = $email AND status IN ('approved', 'will_pay')`;
	return { rows, total: network.store.first<{ total: number }>(counted, { email })?.total ?? 0 };
}

/** The workspaces whose invitation this address has not accepted, in the order of inviting. */
export function invitationsTo(network: Network, email: string): WorkspaceRow[] {
	return network.store.all<WorkspaceRow>(
		`SELECT workspaces.* FROM partners JOIN workspaces ON workspaces.id = partners.workspace_id
		WHERE partners.email = $email AND partners.accepted_at IS NULL ORDER BY partners.rowid`,
		{ email: normalEmail(email) },
	);
}
