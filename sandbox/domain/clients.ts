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
