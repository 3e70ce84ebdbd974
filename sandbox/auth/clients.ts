import { createHash, timingSafeEqual } from 'node:crypto';
import type { Store } from '../store/store';

/** Client secrets are random and long, so that a plain digest of them is enough to keep. */
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Enters a client that acts for a buyer; only a digest of the secret is stored. */
export function registerClient(
	store: Store,
	client: { id: string; secret: string; buyerId: string },
): void {
	store.run('INSERT INTO clients (id, buyer_id, secret_hash) VALUES ($id, $buyerId, $hash)', {
		id: client.id,
		buyerId: client.buyerId,
		hash: digest(client.secret).toString('hex'),
	});
}

/** Whether a client with this id exists and has this secret. */
export function isClient(store: Store, id: string, secret: string): boolean {
	const row = store.all<{ secret_hash: string }>('SELECT secret_hash FROM clients WHERE id = $id', {
		id,
	})[0];
	const expected = Buffer.from(row?.secret_hash ?? '', 'hex');
	const given = digest(secret);
	return expected.length === given.length && timingSafeEqual(expected, given);
}
