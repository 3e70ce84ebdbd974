import type { Network } from '../network/network';
import { magicVendor } from './magic';
import { findPartnerByEmail } from './partners';
import { acceptInvitation, changeTaxForm, reviewVendor } from './vendorLifecycle';
import { findVendor, registerVendor, renameVendor, taxForm } from './vendors';

/**
 * What a vendor has to do behind an invite link. `new`: answer every question. `known`: accept, being
 * verified. `tax`: renew the tax form. `waiting`: nothing, until the network has verified. `joined`:
 * nothing. `declined`: the network has said no, which no sign-up can change.
 */
export type SignupState = 'new' | 'known' | 'tax' | 'waiting' | 'joined' | 'declined';

export function signupState(network: Network, workspaceId: string, email: string): SignupState {
	const vendor = findVendor(network, email);
	const partner = findPartnerByEmail(network, workspaceId, email);
	const hasAccepted = partner !== undefined && partner.status !== 'invited';
	if (vendor?.status === 'rejected') {
		return 'declined';
	}

	if (vendor?.status !== 'verified') {
		return hasAccepted && magicVendor(network, email) === 'pending' ? 'waiting' : 'new';
	}

	if (taxForm(vendor) === 'expired') {
		return 'tax';
	}

	return hasAccepted ? 'joined' : 'known';
}

/** The vendor has done what the state asks for, and joins. Doing it again changes nothing. */
export function completeSignup(
	network: Network,
	workspaceId: string,
	email: string,
	legalName: string | null,
): void {
	const state = signupState(network, workspaceId, email);
	if (state === 'declined' || state === 'waiting') {
		return;
	}

	if (state === 'new') {
		registerVendor(network, { email });
		if (legalName !== null) {
			renameVendor(network, email, legalName);
		}
	}

	acceptInvitation(network, workspaceId, email, state === 'new' ? legalName : null);
	if (state === 'tax') {
		changeTaxForm(network, email, 'valid');
	}

	if (state === 'new' && magicVendor(network, email) !== 'pending') {
		reviewVendor(network, email, 'verified');
	}
}
