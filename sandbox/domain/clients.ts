import type { Store } from '../store/store';
import { digest, matchesDigest } from '../shared/secrets';

/** Enters a client that acts for a buyer; only a digest of the secret is stored. */
export function registerClient(
	store: Store,
	client: { id: string; secret: string; buyerId: string },
): void {
	store.run('INSERT INTO clients (id, buyer_id, secret_hash) VALUES ($id, $buyerId, $hash)', {
		id: client.id,
		buyerId: client.buyerId,
		hash: digest(client.secret),
	});
}

/** Gives a client another secret; false when there is no such client. */
export function changeClientSecret(store: Store, id: string, secret: string): boolean {
	if (!store.has('SELECT 1 FROM clients WHERE id = $id', { id })) return false;
	store.run('UPDATE clients SET secret_hash = $hash WHERE id = $id', { id, hash: digest(secret) });
	return true;
}

/** Whether a client with this id exists and has this secret. */
export function authenticateClient(store: Store, id: string, secret: string): boolean {
	const row = store.all<{ secret_hash: string }>('SELECT secret_hash FROM clients WHERE id = $id', {
		id,
	})[0];
	return matchesDigest(secret, row?.secret_hash);
}
