import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../store/clock';
import type { Store } from '../store/store';
import { findApplication } from '../domain/applications';

/**
 * Where the identity provider keeps its sessions, codes, grants and refresh tokens: in the sandbox's
 * own store, expiring on the sandbox's own clock.
 */
export const storeAdapter =
	(store: Store, clock: Clock): AdapterFactory =>
	(model) => {
		if (model === 'Client') {
			return new ApplicationAdapter(store, clock, model);
		}

		if (model === 'RefreshToken') {
			return new RefreshTokenAdapter(store, clock, model);
		}

		return new StoreAdapter(store, clock, model);
	};

class StoreAdapter implements Adapter {
	constructor(
		protected readonly store: Store,
		protected readonly clock: Clock,
		private readonly model: string,
	) {}

	async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
		this.store.run(
			`INSERT INTO identity_records (model, id, uid, grant_id, payload, expires_at)
			VALUES ($model, $id, $uid, $grantId, $payload, $expiresAt)
			ON CONFLICT (model, id) DO UPDATE SET uid = $uid, grant_id = $grantId,
				payload = $payload, expires_at = $expiresAt`,
			{
				model: this.model,
				id,
				uid: payload.uid ?? null,
				grantId: payload.grantId ?? (this.model === 'Grant' ? id : null),
				payload: JSON.stringify(payload),
				expiresAt: expiresIn === undefined ? null : this.clock.nowMs() + expiresIn * 1000,
			},
		);

		await Promise.resolve();
	}

	async find(id: string): Promise<AdapterPayload | undefined> {
		return await this.first('id = $key', id);
	}

	async findByUid(uid: string): Promise<AdapterPayload | undefined> {
		return await this.first('uid = $key', uid);
	}

	/** Only the device flow has user codes, and this provider does not offer it. */
	async findByUserCode(): Promise<undefined> {
		await Promise.resolve();
	}

	async consume(id: string): Promise<void> {
		this.store.run(
			`UPDATE identity_records
			SET payload = json_insert(payload, '$.consumed', $now)
			WHERE model = $model AND id = $id`,
			{ model: this.model, id, now: Math.floor(this.clock.nowMs() / 1000) },
		);

		await Promise.resolve();
	}

	async destroy(id: string): Promise<void> {
		this.store.run('DELETE FROM identity_records WHERE model = $model AND id = $id', {
			model: this.model,
			id,
		});

		await Promise.resolve();
	}

	async revokeByGrantId(grantId: string): Promise<void> {
		this.store.run('DELETE FROM identity_records WHERE grant_id = $grantId', { grantId });
		await Promise.resolve();
	}

	private async first(condition: string, key: string): Promise<AdapterPayload | undefined> {
		const row = this.store.first<{ payload: string }>(
			`SELECT payload FROM identity_records WHERE model = $model AND ${condition}
			AND (expires_at IS NULL OR expires_at > $now)`,
			{ model: this.model, key, now: this.clock.nowMs() },
		);

		await Promise.resolve();
		if (row === undefined) {
			return undefined;
		}

		// Only the provider writes here: what it gets back is what it gave.
		return JSON.parse(row.payload) as AdapterPayload;
	}
}

/** How long a refresh token that was rotated is taken again, as the parallel requests of a client bring it. */
const GRACE_SECONDS = 60;

/** Refresh tokens, of which one that was just used looks as if it were not: its use again is no theft. */
class RefreshTokenAdapter extends StoreAdapter {
	override async find(id: string): Promise<AdapterPayload | undefined> {
		const payload = await super.find(id);
		if (payload === undefined) {
			return undefined;
		}

		const usedAt = Number(payload['consumed']);
		const isRecent = usedAt > this.clock.nowMs() / 1000 - GRACE_SECONDS;
		return isRecent ? { ...payload, consumed: undefined } : payload;
	}
}

/**
 * The applications as the provider knows them, which it only looks up. It gets the digest in place of
 * the secret, also from `token.ts`: the secret itself is not stored.
 */
class ApplicationAdapter extends StoreAdapter {
	override async find(id: string): Promise<AdapterPayload | undefined> {
		const application = await Promise.resolve(findApplication(this.store, id));
		if (application === undefined) {
			return undefined;
		}

		return {
			client_id: application.id,
			client_name: application.name,
			client_secret: application.secretDigest,
			redirect_uris: application.redirectUris,
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			token_endpoint_auth_method: 'client_secret_post',
			id_token_signed_response_alg: 'ES256',
		};
	}
}

/** Whether a grant was given and has not been revoked. */
export const isGrantActive = (store: Store, grantId: string): boolean =>
	store.has("SELECT 1 FROM identity_records WHERE model = 'Grant' AND id = $grantId", { grantId });

/** Deletes what a user, or each user, has granted: refresh tokens, and with them access tokens. */
export function revokeGrants(store: Store, userId?: string): void {
	store.run(
		`DELETE FROM identity_records WHERE grant_id IN (
			SELECT id FROM identity_records WHERE model = 'Grant'
			AND ($userId IS NULL OR json_extract(payload, '$.accountId') = $userId))`,
		{ userId: userId ?? null },
	);
}
