import type { Store } from '../store/store';
import { digest, matchesDigest } from '../shared/secrets';

/** Enters a client that acts for a buyer; only a digest of the secret is stored. */
export function registerClient(
	store: Store,
	client: { id: string; secret: string; buyerId: string },
): void {
	const { id, buyerId, secret } = client;
	store.insert('clients', { id, buyer_id: buyerId, secret_hash: digest(secret) });
}

/** Gives a client another secret; false when there is no such client. */
export const changeClientSecret = (store: Store, id: string, secret: string): boolean =>
	store.update('clients', id, { secret_hash: digest(secret) });

export function authenticateClient(store: Store, id: string, secret: string): boolean {
	const row = store.get<{ secret_hash: string }>('clients', id);
	return matchesDigest(secret, row?.secret_hash);
}

/** A client with the buyer that it acts for, and the first of the buyer's workspaces. */
export type ClientView = {
	id: string;
	buyer: string;
	workspaceId: string | null;
	workspaceName: string | null;
};

/** Every client, in the order in which they were entered. */
export const allClients = (store: Store): ClientView[] =>
	store.all<ClientView>(
		`SELECT clients.id, buyers.name AS buyer, workspaces.id AS workspaceId,
			workspaces.display_name AS workspaceName
		FROM clients JOIN buyers ON buyers.id = clients.buyer_id
		LEFT JOIN workspaces ON workspaces.rowid =
			(SELECT min(rowid) FROM workspaces WHERE buyer_id = clients.buyer_id)
		ORDER BY clients.rowid`,
	);

/** A client that acts for a buyer: the first one. */
export const clientOf = (store: Store, buyerId: string): string | undefined =>
	store.first<{ id: string }>(
		'SELECT id FROM clients WHERE buyer_id = $buyerId ORDER BY rowid LIMIT 1',
		{ buyerId },
	)?.id;
