import { newSecret } from '../shared/ids';
import type { Network } from '../network/network';
import { findPartnerByEmail, normalEmail } from './partners';
import { acceptInvitation, reviewVendor } from './vendor-lifecycle';
import { findVendor, registerVendor, renameVendor } from './vendors';

/**
 * A vendor's sign-up by the invite link of a workspace. Of account and tax numbers only the last
 * four digits are ever stored.
 */
export type SignupRow = {
	/** Cannot be guessed: who knows it may go on with the sign-up. */
	id: string;
	workspace_id: string;
	email: string;
	legal_name: string | null;
	country: string | null;
	account_holder: string | null;
	account_last_four: string | null;
	routing_number: string | null;
	tax_form: string | null;
	tax_id_last_four: string | null;
	created_at: string;
	updated_at: string;
};

/** Starts a sign-up, always with a new id, so that nobody sees another's answers. */
export function startSignup(network: Network, workspaceId: string, email: string): SignupRow {
	const at = network.clock.iso();
	const row: SignupRow = {
		id: newSecret(),
		workspace_id: workspaceId,
		email: normalEmail(email),
		legal_name: null,
		country: null,
		account_holder: null,
		account_last_four: null,
		routing_number: null,
		tax_form: null,
		tax_id_last_four: null,
		created_at: at,
		updated_at: at,
	};
	return saveAnswers(network, row, {});
}

/** The sign-up with this id, or undefined. */
export function findSignup(network: Network, id: string): SignupRow | undefined {
	return network.store.all<SignupRow>('SELECT * FROM signups WHERE id = $id', { id })[0];
}

/** What a sign-up asks for, step by step. */
export type Answers = Omit<
	SignupRow,
	'id' | 'workspace_id' | 'email' | 'created_at' | 'updated_at'
>;

/** Stores answers, and answers what the sign-up is with them. */
export function saveAnswers(
	network: Network,
	signup: SignupRow,
	answers: Partial<Answers>,
): SignupRow {
	const row: SignupRow = { ...signup, ...answers, updated_at: network.clock.iso() };
	network.store.run(
		`INSERT OR REPLACE INTO signups (id, workspace_id, email, legal_name, country, account_holder,
			account_last_four, routing_number, tax_form, tax_id_last_four, created_at, updated_at)
		VALUES ($id, $workspace_id, $email, $legal_name, $country, $account_holder,
			$account_last_four, $routing_number, $tax_form, $tax_id_last_four, $created_at, $updated_at)`,
		row,
	);
	return row;
}

/**
 * The state of a sign-up. `new`: the vendor has to answer every question. `known`: the vendor is
 * verified and has only to accept. `joined`: verified and a partner of the workspace. `declined`:
 * the network has said no, which no sign-up can change.
 */
export type SignupState = 'new' | 'known' | 'joined' | 'declined';

/** The present state of a sign-up. */
export function signupState(network: Network, signup: SignupRow): SignupState {
	const vendor = findVendor(network, signup.email);
	if (vendor?.status === 'rejected') return 'declined';
	if (vendor?.status !== 'verified') return 'new';
	const partner = findPartnerByEmail(network, signup.workspace_id, signup.email);
	return partner?.status === 'verified' ? 'joined' : 'known';
}

/** A verified vendor accepts the invitation; anybody else is left as they are. */
export function acceptAsKnownVendor(network: Network, signup: SignupRow): void {
	if (signupState(network, signup) !== 'known') return;
	acceptInvitation(network, signup.workspace_id, signup.email, null);
}

/**
 * A new vendor has told everything: joins the network and the workspace, and is verified at once.
 * Doing it again changes nothing.
 */
export function completeSignup(network: Network, signup: SignupRow): void {
	if (signupState(network, signup) !== 'new') return;
	registerVendor(network, { email: signup.email });
	if (signup.legal_name !== null) renameVendor(network, signup.email, signup.legal_name);
	acceptInvitation(network, signup.workspace_id, signup.email, signup.legal_name);
	reviewVendor(network, signup.email, 'verified');
}
