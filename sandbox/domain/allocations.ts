import type { Network } from '../network/network';

/** `waiting` for the money or the vendor; `will_pay` in settlement; `paid` into the wallet. */
type AllocationStatus = 'waiting' | 'will_pay' | 'paid';

/** The part of a funding that pays one payable. */
export type Allocation = {
	id: number;
	fundingId: string;
	payableId: string;
	/** Grows from payable to payable. */
	payableNumber: number;
};

/** An allocation as the control API shows it; a payable has one for every time it was funded. */
export type AllocationView = {
	fundingId: string;
	payableId: string;
	payee: string;
	amount: number;
	status: AllocationStatus;
};

const columns = `allocations.id, allocations.funding_id AS fundingId, allocations.payable_id AS payableId,
	payables.rowid AS payableNumber`;

export function allocate(network: Network, fundingId: string, payables: { id: string }[]): void {
	for (const { id } of payables) {
		const row = { funding_id: fundingId, payable_id: id, status: 'waiting' };
		network.store.insert('allocations', row);
	}
}

// Ready means: the money is in escrow, and the vendor is verified, with a valid tax form. A setting
// demands that the vendor has joined the paying workspace as well.
const ready = ({ settings }: Network): string => {
	const mustJoin = settings.values.acceptance === 'required';
	return `
	SELECT ${columns} FROM allocations
	JOIN fundings ON fundings.id = allocations.funding_id AND fundings.status = 'funded'
	JOIN payables ON payables.id = allocations.payable_id
	JOIN vendors ON vendors.email = payables.payee_email AND vendors.status = 'verified'
		AND vendors.tax_form_expired_at IS NULL
	${mustJoin ? '' : 'LEFT'} JOIN partners ON partners.workspace_id = payables.workspace_id
		AND partners.email = payables.payee_email
		${mustJoin ? 'AND partners.accepted_at IS NOT NULL' : ''}
	WHERE allocations.status = 'waiting'`;
};

export const BATCH = 50;

/** What can be settled of a funding, in the order in which the funding named its payables. */
export const readyInFunding = (network: Network, fundingId: string): Allocation[] =>
	network.store.all<Allocation>(
		`${ready(network)} AND allocations.funding_id = $fundingId ORDER BY allocations.id LIMIT ${BATCH}`,
		{ fundingId },
	);

/** What can be settled for a vendor in any workspace, oldest payables first, from one of them on. */
export const readyForVendor = (network: Network, email: string, from: number): Allocation[] =>
	network.store.all<Allocation>(
		`${ready(network)} AND payables.payee_email = $email AND payables.rowid >= $from
		ORDER BY payables.rowid, allocations.id LIMIT ${BATCH}`,
		{ email, from },
	);

export const vendorsWithReady = (network: Network): string[] =>
	network.store
		.all<{ email: string }>(
			`SELECT email FROM vendors WHERE email IN
			(SELECT payee_email FROM payables WHERE id IN (SELECT payableId FROM (${ready(network)})))`,
		)
		.map(({ email }) => email);

/** What is in settlement and due by a time; null stands for any. */
export const inSettlement = (network: Network, dueBy: string | null): Allocation[] =>
	network.store.all<Allocation>(
		`SELECT ${columns} FROM allocations JOIN payables ON payables.id = payable_id
		WHERE allocations.status = 'will_pay' AND ($dueBy IS NULL OR COALESCE(due_date, '') <= $dueBy)
		ORDER BY payables.rowid, allocations.id LIMIT ${BATCH}`,
		{ dueBy },
	);

export function setAllocationStatus(
	network: Network,
	{ id }: Allocation,
	status: AllocationStatus,
): void {
	network.store.update('allocations', id, { status });
}

export const allAllocations = (network: Network): AllocationView[] =>
	network.store.all<AllocationView>(
		`SELECT allocations.funding_id AS fundingId, allocations.payable_id AS payableId,
			payables.payee_email AS payee, payables.amount, allocations.status
		FROM allocations JOIN payables ON payables.id = payable_id ORDER BY allocations.id`,
	);
