import type { components } from '../../contract/service';
import { recordEvent } from '../network/events';
import { newId } from '../shared/ids';
import { lowerAscii } from '../shared/lowerAscii';
import { sendInvitation } from './mail';
import type { Network } from '../network/network';
import type { WorkspaceRow } from './workspaces';

type Schemas = components['schemas'];

/** A vendor as one workspace knows it. */
export type Partner = Required<Schemas['Partner']> & { email: string };

// What the network says of a vendor, in one status for the decision and the tax form.
export const VENDOR_STATUS = `iif(vendors.status = 'verified' AND tax_form_expired_at IS NOT NULL,
	'tax_form_expired', vendors.status)`;

// A partner has no status of its own: not accepted is `invited`, else that of the vendor.
const select = `
	SELECT partners.id, workspace_id, partners.email,
		COALESCE(partners.business_name, vendors.business_name) AS business_name,
		vendors.id AS service_id,
		iif(accepted_at IS NULL, 'invited', ${VENDOR_STATUS}) AS status,
		partners.created_at, partners.updated_at
	FROM partners LEFT JOIN vendors ON vendors.email = partners.email`;

/** Email addresses name the same vendor however their ASCII letters are capitalized. */
export const normalEmail = (email: string): string => lowerAscii(email.trim());

export function findPartner(
	network: Network,
	workspaceId: string,
	partnerId: string,
): Partner | undefined {
	return network.store.first<Partner>(
		`${select} WHERE workspace_id = $workspaceId AND partners.id = $partnerId`,
		{ workspaceId, partnerId },
	);
}

export function findPartnerByEmail(
	network: Network,
	workspaceId: string,
	email: string,
): Partner | undefined {
	return network.store.first<Partner>(
		`${select} WHERE workspace_id = $workspaceId AND partners.email = $email`,
		{ workspaceId, email: normalEmail(email) },
	);
}

export const allPartners = (network: Network): Partner[] =>
	network.store.all<Partner>(`${select} ORDER BY partners.rowid`);

/** The workspaces that the vendor with this address has accepted. */
export function attachedPartners(network: Network, email: string): Partner[] {
	return network.store.all<Partner>(
		`${select} WHERE partners.email = $email AND accepted_at IS NOT NULL ORDER BY partners.rowid`,
		{ email },
	);
}

/** The workspaces whose invitation this address has not accepted, in the order of inviting. */
export const invitationsTo = (network: Network, email: string): WorkspaceRow[] =>
	network.store.all<WorkspaceRow>(
		`SELECT workspaces.* FROM partners JOIN workspaces ON workspaces.id = partners.workspace_id
		WHERE partners.email = $email AND partners.accepted_at IS NULL ORDER BY partners.rowid`,
		{ email },
	);

/**
 * A partner as the buyer sees it. What the network knows of a vendor who has not accepted is not for
 * every buyer who has their identifier or address.
 */
export function presentPartner({ store }: Network, partner: Partner): Schemas['Partner'] {
	type Known = Pick<Partner, 'business_name'> & { address_known: 0 | 1 };
	const invited = store.first<Known>(
		'SELECT business_name, address_known FROM partners WHERE id = $id AND accepted_at IS NULL',
		{ id: partner.id },
	);

	if (invited === undefined) {
		return partner;
	}

	const email = invited.address_known === 1 ? partner.email : null;
	return { ...partner, email, business_name: invited.business_name };
}

/** How a workspace has come to a partner: by an address that it knows, or by an identifier alone. */
export type NamedBy = 'address' | 'identifier';

/** Makes sure that the address is a partner of the workspace, without any mail. */
export function ensurePartner(
	network: Network,
	workspaceId: string,
	address: string,
	businessName: string | null,
	namedBy: NamedBy = 'address',
): Partner {
	const email = normalEmail(address);
	const at = network.clock.iso();
	network.store.run(
		`INSERT INTO partners (id, workspace_id, email, business_name, address_known, created_at, updated_at)
		VALUES ($id, $workspaceId, $email, $businessName, $isKnown, $at, $at)
		ON CONFLICT (workspace_id, email)
		DO UPDATE SET business_name = COALESCE(business_name, excluded.business_name),
			address_known = max(address_known, excluded.address_known)`,
		{
			id: newId('partner'),
			workspaceId,
			email,
			businessName,
			isKnown: namedBy === 'address' ? 1 : 0,
			at,
		},
	);

	const partner = findPartnerByEmail(network, workspaceId, email);
	if (partner === undefined) {
		throw new Error(`The partner ${email} was not stored.`);
	}

	return partner;
}

/**
 * Invites a vendor by email. Inviting the same address again leaves the one partner record as it
 * is and sends one more mail: a reminder is what a second invitation is for.
 */
export function invitePartner(
	network: Network,
	workspace: WorkspaceRow,
	email: string,
	businessName: string | null,
	namedBy: NamedBy = 'address',
): Partner {
	const partner = ensurePartner(network, workspace.id, email, businessName, namedBy);
	sendInvitation(network, workspace, partner.email);
	return partner;
}

/** Notes on the partner's record that its status has changed, and records the event. */
export function partnerStatusChanged(network: Network, workspaceId: string, email: string): void {
	network.store.run(
		'UPDATE partners SET updated_at = $at WHERE workspace_id = $workspaceId AND email = $email',
		{ at: network.clock.iso(), workspaceId, email },
	);

	const partner = findPartnerByEmail(network, workspaceId, email);
	if (partner === undefined) {
		return;
	}

	recordEvent(network, 'partner.status_changed', workspaceId, {
		partner: presentPartner(network, partner),
	});
}
