import { randomInt, randomUUID } from 'node:crypto';
import { registerApplication } from '../domain/applications';
import { registerClient } from '../domain/clients';
import { receiveDeposit } from '../domain/deposits';
import { bank, recordTransfer, workspaceWallet } from '../domain/ledger';
import { createFunding } from '../domain/fundings';
import { approvePayable, createPayable } from '../domain/payables';
import { recordEvent } from '../network/events';
import type { Network } from '../network/network';
import { acceptInvitation } from '../domain/vendorLifecycle';
import { registerVendor } from '../domain/vendors';
import { requireWorkspace } from '../domain/workspaces';
import { conflict } from '../shared/errors';
import { lowerAscii } from '../shared/lowerAscii';
import type { components } from '../../contract/service';
import type {
	Seed,
	SeedBuyer,
	SeedEvent,
	SeedPayable,
	SeedUser,
	SeedVendor,
	SeedWorkspace,
} from './schema';

type EventData = components['schemas']['Event']['data'];

/** A routing number with a valid check digit that belongs to no bank. */
const ROUTING_NUMBER = '990000005';

/** @throws HttpError 409 when an ID is taken, 404 when a workspace that it names does not exist */
export function applySeed(network: Network, seed: Seed): void {
	network.store.transaction(() => {
		const last = 'SELECT COALESCE(max(sequence), 0) FROM events';
		const before = network.store.number(last);
		for (const buyer of seed.buyers ?? []) {
			addBuyer(network, buyer);
		}

		for (const { redirectUris = [], ...application } of seed.applications ?? []) {
			requireUnused(network, 'applications', application.id);
			registerApplication(network.store, { ...application, redirectUris });
		}

		for (const user of seed.users ?? []) {
			addUser(network, user);
		}

		for (const vendor of seed.vendors ?? []) {
			addVendor(network, vendor);
		}

		for (const payable of seed.payables ?? []) {
			addPayable(network, payable);
		}

		// What a seed describes was there before: it is no event, save for those that it names.
		network.store.run('DELETE FROM events WHERE sequence > $before', { before });

		for (const event of seed.events ?? []) {
			addEvent(network, event);
		}
	});
}

function addVendor(network: Network, { workspaceIds = [], ...vendor }: SeedVendor): void {
	registerVendor(network, vendor);

	for (const id of workspaceIds) {
		const workspace = requireWorkspace(network, id);
		acceptInvitation(network, workspace.id, vendor.email, vendor.businessName ?? null);
	}
}

function addEvent(network: Network, { event_type, workspaceId, data }: SeedEvent): void {
	const { id } = requireWorkspace(network, workspaceId);
	// Any partner or payable is recorded as it was given, whatever it lacks.
	recordEvent(network, event_type, id, data as EventData);
}

/** A payable that is as far as the seed says, by the steps of a buyer. */
function addPayable(network: Network, seed: SeedPayable): void {
	const { id, status = 'draft', amount } = seed;
	if (id !== undefined) {
		requireUnused(network, 'payables', id);
	}

	const workspace = requireWorkspace(network, seed.workspaceId);
	const payable = createPayable(network, workspace, creationOf(seed), id);
	if (status === 'draft') {
		return;
	}

	approvePayable(network, payable);
	if (status === 'approved') {
		return;
	}

	createFunding(network, workspace, {
		workspace_id: workspace.id,
		method: 'balance',
		amount,
		payable_ids: [payable.id],
	});
}

function creationOf(seed: SeedPayable): components['schemas']['PayableCreate'] {
	const { workspaceId, payeeEmail, amount, description, dueDate, lineItems } = seed;
	const body: components['schemas']['PayableCreate'] = {
		workspace_id: workspaceId,
		payee_email: payeeEmail,
		amount,
	};
	if (description !== undefined) {
		body.description = description;
	}

	if (dueDate !== undefined) {
		body.due_date = dueDate;
	}

	if (lineItems !== undefined) {
		body.line_items = lineItems;
	}

	return body;
}

function addBuyer(network: Network, buyer: SeedBuyer): void {
	const buyerId = randomUUID();
	network.store.insert('buyers', { id: buyerId, name: buyer.name });

	for (const workspace of buyer.workspaces ?? []) {
		addWorkspace(network, buyerId, workspace);
	}

	for (const client of buyer.clients ?? []) {
		requireUnused(network, 'clients', client.id);
		registerClient(network.store, { ...client, buyerId });
	}
}

function addWorkspace(network: Network, buyerId: string, workspace: SeedWorkspace): void {
	const id = (workspace.id ?? randomUUID()).toLowerCase();
	requireUnused(network, 'workspaces', id);
	network.store.insert('workspaces', {
		id,
		buyer_id: buyerId,
		display_name: workspace.displayName,
		bsp_tag: workspace.bspTag ?? null,
		account_number: workspace.accountNumber ?? String(randomInt(1e11, 2e11)),
		routing_number: workspace.routingNumber ?? ROUTING_NUMBER,
		created_at: network.clock.iso(),
	});

	if (workspace.openingBalance !== undefined) {
		recordTransfer(network, {
			kind: 'opening',
			reference: id,
			from: bank,
			to: workspaceWallet(id),
			amount: workspace.openingBalance,
		});
	}

	for (const amount of workspace.deposits ?? []) {
		receiveDeposit(network, id, amount);
	}
}

function addUser(network: Network, user: SeedUser): void {
	const id = (user.id ?? randomUUID()).toLowerCase();
	requireUnused(network, 'users', id);

	const at = network.clock.iso();
	network.store.insert('users', {
		id,
		email: lowerAscii(user.email),
		first_name: user.firstName,
		last_name: user.lastName,
		created_at: at,
		updated_at: at,
	});

	for (const { workspaceId, role } of user.memberships ?? []) {
		network.store.insert('memberships', {
			user_id: id,
			workspace_id: requireWorkspace(network, workspaceId).id,
			role_id: roleId(network, role),
		});
	}
}

/** The role with this name, made when there is none: roles are names, they restrict nothing. */
function roleId(network: Network, displayName: string): string {
	const known = 'SELECT id FROM roles WHERE display_name = $displayName';
	const found = network.store.first<{ id: string }>(known, { displayName });
	if (found !== undefined) {
		return found.id;
	}

	const id = randomUUID();
	network.store.insert('roles', { id, display_name: displayName });
	return id;
}

function requireUnused(
	network: Network,
	table: 'clients' | 'applications' | 'workspaces' | 'users' | 'payables',
	id: string,
): void {
	if (network.store.has(`SELECT 1 FROM ${table} WHERE id = $id`, { id })) {
		throw conflict('taken', `There is something with the id ${id} in ${table} already.`);
	}
}
