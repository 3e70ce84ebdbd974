import type { components } from '../../contract/service';
import { conflict, unprocessable } from '../shared/errors';
import { currentActor } from '../network/actor';
import { recordEvent } from '../network/events';
import { newId } from '../shared/ids';
import { describeAmount } from '../shared/money';
import type { Network } from '../network/network';
import { matching } from '../store/listing';
import type { Parameters } from '../store/store';
import { findPartnerByEmail, invitePartner, normalEmail } from './partners';
import { findVendor } from './vendors';
import type { WorkspaceRow } from './workspaces';

type Schemas = components['schemas'];

/** A payable with the partner and vendor that its address leads to today. */
export type Payable = Required<Schemas['Payable']> & { payee_email: string };
type PayableCreate = Schemas['PayableCreate'];
type LineItem = Schemas['LineItem'];

const select = `
	SELECT payables.id, payables.workspace_id, partners.id AS partner_id, payables.payee_email,
		vendors.id AS payee_service_id, payables.amount, payables.amount_denomination, payables.description,
		payables.due_date, payables.line_items, payables.status,
		(SELECT funding_id FROM allocations WHERE payable_id = payables.id ORDER BY id DESC LIMIT 1)
			AS funding_id,
		payables.created_at, payables.updated_at
	FROM payables
	LEFT JOIN partners ON partners.workspace_id = payables.workspace_id
		AND partners.email = payables.payee_email
	LEFT JOIN vendors ON vendors.email = payables.payee_email`;

/** Reads payables; `rest` says which, and in which order. */
const read = (network: Network, rest: string, parameters: Parameters = {}): Payable[] =>
	network.store
		.all<Omit<Payable, 'line_items'> & { line_items: string }>(`${select} ${rest}`, parameters)
		.map(({ line_items, ...row }) => ({
			...row,
			// Stored by createPayable below, from a body that the contract has checked.
			line_items: JSON.parse(line_items) as LineItem[],
		}));

export const findPayable = (network: Network, id: string): Payable | undefined =>
	read(network, 'WHERE payables.id = $id', { id })[0];

export const allPayables = (network: Network): Payable[] =>
	read(network, 'ORDER BY payables.rowid');

/** The payables of a funding, in the order in which the funding named them. */
export const payablesOfFunding = (network: Network, fundingId: string): Payable[] =>
	read(
		network,
		`JOIN allocations ON allocations.payable_id = payables.id
		WHERE allocations.funding_id = $fundingId ORDER BY allocations.id`,
		{ fundingId },
	);

/**
 * A payable as its buyer sees it: a vendor whom the buyer has named by the identifier alone, and who
 * has not joined the buyer, is not named by the address.
 */
export function presentPayable({ store }: Network, payable: Payable): Schemas['Payable'] {
	const isKnown = store.has(
		`SELECT 1 FROM payables LEFT JOIN partners ON partners.workspace_id = payables.workspace_id
			AND partners.email = payables.payee_email
		WHERE payables.id = $id AND (payables.address_known = 1 OR partners.address_known = 1)`,
		{ id: payable.id },
	);

	return isKnown ? payable : { ...payable, payee_email: null };
}

type PayableEvent = Exclude<Schemas['EventType'], 'partner.status_changed'>;

export function recordPayableEvent(network: Network, type: PayableEvent, payable: Payable): void {
	recordEvent(network, type, payable.workspace_id, { payable: presentPayable(network, payable) });
}

/** Approved payables of a workspace that no funding has yet, as they come from the index: largest first. */
export const unfundedPayables = (network: Network, workspaceId: string, limit: number): Payable[] =>
	read(
		network,
		`WHERE payables.workspace_id = $workspaceId AND payables.status = 'approved'
			AND NOT EXISTS (SELECT 1 FROM allocations WHERE payable_id = payables.id)
		ORDER BY payables.amount DESC LIMIT $limit`,
		{ workspaceId, limit },
	);

export interface PayableTotal {
	status: Payable['status'];
	count: number;
	/** Exact, though the sum of exact numbers need not be one. */
	amount: bigint;
}

/** How many payables of a workspace, or of all, are in each state, and how much money that is. */
export function payableTotals(network: Network, workspaceId?: string): PayableTotal[] {
	const { conditions, parameters } = matching({ workspaceId: 'workspace_id' }, { workspaceId });

	const rows = network.store.all<{ status: string; count: number; amount: string }>(
		// Grouped first as the index is ordered, which takes a third of the time.
		`SELECT status, sum(count) AS count, CAST(sum(amount) AS TEXT) AS amount FROM
			(SELECT status, count(*) AS count, sum(amount) AS amount FROM payables
			WHERE ${conditions.join(' AND ')} GROUP BY workspace_id, status)
		GROUP BY status`,
		parameters,
	);

	return (['draft', 'approved', 'will_pay', 'paid'] as const).map((status) => {
		const { count = 0, amount = '0' } = rows.find((row) => row.status === status) ?? {};
		return { status, count, amount: BigInt(amount) };
	});
}

/**
 * Creates a payable in draft, and invites the vendor when asked to and not yet a partner.
 * @throws HttpError 422 when the payee is unknown or contradictory, or the line items do not add up
 */
export function createPayable(
	network: Network,
	workspace: WorkspaceRow,
	request: PayableCreate,
	id = newId('payable'),
): Payable {
	checkLineItems(request);

	const email = payeeEmail(network, request);
	const at = network.clock.iso();
	network.store.insert('payables', {
		id,
		workspace_id: workspace.id,
		payee_email: email,
		address_known: request.payee_email === undefined ? 0 : 1,
		amount: request.amount,
		amount_denomination: request.amount_denomination ?? 'us_cents',
		description: request.description ?? null,
		due_date: request.due_date ?? null,
		line_items: JSON.stringify(
			(request.line_items ?? []).map(({ amount, description }) => ({ amount, description })),
		),
		status: 'draft',
		created_at: at,
		updated_at: at,
	});

	recordMove(network, id, 'draft');

	const isPartner = findPartnerByEmail(network, workspace.id, email) !== undefined;
	if (request.send_invite === true && !isPartner) {
		const namedBy = request.payee_email === undefined ? 'identifier' : 'address';
		invitePartner(network, workspace, email, null, namedBy);
	}

	return requirePayable(network, id);
}

/** @throws HttpError 409 when the payable is no draft any more */
export function approvePayable(network: Network, payable: Payable): Payable {
	if (payable.status !== 'draft') {
		throw conflict(
			'wrong_state',
			`The payable ${payable.id} is ${payable.status} already: only a draft can be approved.`,
		);
	}

	moveTo(network, payable.id, 'approved');

	const approved = requirePayable(network, payable.id);
	recordPayableEvent(network, 'payable.status_changed', approved);
	recordPayableEvent(network, 'payable.approved', approved);
	return approved;
}

/** Moves a payable into a state, and remembers who has moved it. */
export function moveTo(network: Network, id: string, status: Payable['status']): void {
	network.store.update('payables', id, { status, updated_at: network.clock.iso() });
	recordMove(network, id, status);
}

function recordMove(network: Network, id: string, status: Payable['status']): void {
	const { who, action } = currentActor();
	const at = network.clock.iso();
	network.store.insert('moves', { payable_id: id, status, at, actor: who, action });
}

/** The payable, which must be there. */
export function requirePayable(network: Network, id: string): Payable {
	const row = findPayable(network, id);
	if (row === undefined) {
		throw new Error(`There is no payable ${id}.`);
	}

	return row;
}

function checkLineItems({ line_items, amount }: PayableCreate): void {
	if (line_items === undefined || line_items.length === 0) {
		return;
	}

	// BigInt, because the sum of exact numbers need not be one.
	const total = line_items.reduce((sum, item) => sum + BigInt(item.amount), 0n);
	if (total !== BigInt(amount)) {
		throw unprocessable(
			'line_items_mismatch',
			`The line items add up to ${total} us_cents, not to the amount of ${describeAmount(amount)}.`,
			'line_items',
		);
	}
}

function payeeEmail(network: Network, { payee_email, payee_service_id }: PayableCreate): string {
	if (payee_service_id === undefined) {
		return normalEmail(payee_email ?? '');
	}

	const vendor = findVendor(network, payee_service_id);
	// An email address is not accepted as an identifier.
	if (vendor === undefined || vendor.id !== payee_service_id) {
		throw unprocessable(
			'unknown_payee',
			`There is no vendor ${payee_service_id} in the network.`,
			'payee_service_id',
		);
	}

	if (payee_email !== undefined && normalEmail(payee_email) !== vendor.email) {
		throw unprocessable(
			'contradictory_payee',
			`payee_email and payee_service_id name two different vendors.`,
			'payee_email',
		);
	}

	return vendor.email;
}
