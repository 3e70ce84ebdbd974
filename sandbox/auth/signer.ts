import { randomUUID } from 'node:crypto';
import {
	calculateJwkThumbprint,
	errors,
	exportJWK,
	generateKeyPair,
	importJWK,
	jwtVerify,
	SignJWT,
	type CryptoKey,
	type JWK,
} from 'jose';
import type { Clock } from '../store/clock';
import type { Store } from '../store/store';
import { readSetting, writeSetting } from '../store/settingsInForce';
import type { Caller } from '../domain/access';
import { HttpError } from '../shared/errors';
import { isGrantActive } from './adapter';

/** Seconds for which an access token is valid. */
export const TOKEN_LIFETIME_SECONDS = 86_400;

export const ALGORITHM = 'ES256';

const KEY = 'signing_key';
const GENERATION = 'token_generation';

/** A token, or a request without one, that is not accepted. */
export const unauthorized = (message: string): HttpError =>
	new HttpError(401, 'unauthorized', message, {
		headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
	});

/** Issues and checks access tokens with a key that is part of the stored state. */
export class Signer {
	private constructor(
		private readonly store: Store,
		private readonly clock: Clock,
		private readonly audience: string,
		/** Who issues the tokens, which is known once the sandbox listens. */
		private readonly issuer: () => string,
		/** The private key, for the identity provider, which signs with the same. */
		readonly jwk: JWK,
		private readonly privateKey: CryptoKey | Uint8Array,
		private readonly publicKey: CryptoKey | Uint8Array,
	) {}

	/** Opens the stored key, or makes one the first time, so that tokens outlive a restart. */
	static async open(
		store: Store,
		clock: Clock,
		audience: string,
		issuer: () => string,
	): Promise<Signer> {
		const stored = readSetting(store, KEY);
		const key = stored === undefined ? await newKey(store) : (JSON.parse(stored) as JWK);
		const { d: _, ...publicKey } = key;
		const kid = await calculateJwkThumbprint(publicKey);
		return new Signer(
			store,
			clock,
			audience,
			issuer,
			{ ...key, kid },
			await importJWK(key, ALGORITHM),
			await importJWK(publicKey, ALGORITHM),
		);
	}

	/** An access token for the caller, valid from now on the sandbox's clock. */
	async issue(caller: Caller): Promise<string> {
		const { iat, exp, ...claims } = this.claims(caller.kind);
		const { kid = '' } = this.jwk;
		const client = caller.kind === 'client' ? { client_id: caller.id } : {};
		return await new SignJWT({ ...claims, ...client })
			.setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid })
			.setIssuer(this.issuer())
			.setJti(randomUUID())
			.setSubject(caller.id)
			.setAudience(this.audience)
			.setIssuedAt(iat)
			.setExpirationTime(exp)
			.sign(this.privateKey);
	}

	/** The claims of an access token beside its subject; times in seconds. */
	claims(kind: Caller['kind']) {
		const iat = Math.floor(this.clock.nowMs() / 1000);
		return { kind, generation: this.generation(), iat, exp: iat + TOKEN_LIFETIME_SECONDS };
	}

	/**
	 * The caller that a token was issued for. The issuer is not compared: a sandbox that is started again
	 * may have another address.
	 * @throws HttpError 401 when it is not one of ours, for another audience, expired, or of a grant
	 * that was revoked
	 */
	async verify(token: string): Promise<Caller> {
		const { payload } = await jwtVerify(token, this.publicKey, {
			algorithms: [ALGORITHM],
			audience: this.audience,
			currentDate: new Date(this.clock.nowMs()),
		}).catch((error: unknown) => {
			throw unauthorized(reason(error));
		});
		if (payload['generation'] !== this.generation()) {
			throw unauthorized('The access token has expired.');
		}

		const { kind, grant: grantId } = payload;
		if ((kind !== 'client' && kind !== 'user') || payload.sub === undefined) {
			throw unauthorized('The access token is not valid.');
		}

		if (typeof grantId === 'string' && !isGrantActive(this.store, grantId)) {
			throw unauthorized('The user has revoked the access.');
		}

		return { kind, id: payload.sub };
	}

	expireAll(): void {
		writeSetting(this.store, GENERATION, String(this.generation() + 1));
	}

	private generation(): number {
		return Number(readSetting(this.store, GENERATION) ?? '1');
	}
}

async function newKey(store: Store): Promise<JWK> {
	const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
	const key = await exportJWK(privateKey);
	writeSetting(store, KEY, JSON.stringify(key));
	return key;
}

function reason(error: unknown): string {
	if (error instanceof errors.JWTExpired) {
		return 'The access token has expired.';
	}

	if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
		return 'The access token was issued for another audience.';
	}

	return 'The access token is not valid.';
}
