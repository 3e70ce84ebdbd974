import type { components } from '../../contract/service';
import type { Network } from '../network/network';
import { lowerAscii } from '../shared/lowerAscii';

type User = components['schemas']['User'];
type WorkspaceOfUser = components['schemas']['WorkspaceOfUser'];

export type UserRow = {
	id: string;
	email: string;
	first_name: string;
	last_name: string;
	created_at: string;
	updated_at: string;
};

export function findUser(network: Network, idOrEmail: string): UserRow | undefined {
	return network.store.first<UserRow>('SELECT * FROM users WHERE id = $key OR email = $key', {
		key: lowerAscii(idOrEmail.trim()),
	});
}

export const allUsers = (network: Network): UserRow[] =>
	network.store.all<UserRow>('SELECT * FROM users ORDER BY first_name, last_name');

/** The user as the API answers it: without the address. */
export function presentUser({ email: _, ...user }: UserRow): User {
	return user;
}

/** The user's workspaces with the user's role in each, sorted by name. */
export function workspacesOfUser(network: Network, userId: string): WorkspaceOfUser[] {
	type Membership = { id: string; display_name: string; role_id: string; role_name: string };
	return network.store
		.all<Membership>(
			`SELECT workspaces.id, workspaces.display_name, role_id, roles.display_name AS role_name
			FROM memberships
			JOIN workspaces ON workspaces.id = workspace_id
			JOIN roles ON roles.id = role_id
			WHERE user_id = $userId ORDER BY workspaces.display_name`,
			{ userId },
		)
		.map(({ role_id, role_name, ...workspace }) => ({
			...workspace,
			role: { id: role_id, display_name: role_name },
		}));
}
