import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import type { BeforeSend } from '../service/http/request';
import type { EntryState } from './entry';
import type { KeyStore } from './keyStore';

/** Keys must stand for so long before they count: longer than n8n takes to write them. */
const SETTLING_MS = 100;
/** A slow database makes it longer. */
const SETTLING_FACTOR = 10;
/** How often keys are added again that other writes have removed. */
const MAX_ROUNDS = 3;

const lockKey = (reference: string): string => `${reference} lock`;
const doubtKey = (reference: string): string => `${reference} doubt`;

/** Which entries are locked: their request was done (`funded`), or nothing is known of it (`funding`). */
type LockedEntries = Map<string, EntryState>;

/** The lock of some references is with somebody else. Nothing was sent. */
export class LockedError extends Error {
	constructor(readonly entries: LockedEntries) {
		super('Somebody else has the lock of a reference');
	}
}

/**
 * The lock before a request that must not be sent twice. It is acquired directly before the request,
 * so that the end of a process leaves nothing in doubt but what was just being sent.
 *
 * Two keys stand for each reference: one says that the lock was acquired, the other that the outcome
 * is unknown. They are added together, and only a success removes the second. A process that ends in
 * between leaves a doubt, never a payment that looks unmade.
 *
 * In this process keys are added one write after the other. Another worker can write at the same
 * moment, and the later write undoes the earlier one. So each attempt carries a token, and is checked
 * when every write that began before it has ended: of those that were made at once, only the last one
 * still finds its token (M. Fischer's protocol, in L. Lamport, "A Fast Mutual Exclusion Algorithm", 1987).
 */
export class RequestLock {
	private readonly id = randomUUID();

	constructor(private readonly keys: KeyStore) {}

	/**
	 * Acquires the lock for references that belong together.
	 *
	 * @returns those that were locked before; the others are this caller's alone
	 */
	async acquire(references: string[]): Promise<LockedEntries> {
		const { added, durationMs } = await this.keys.add(references.flatMap(this.lockKeys));
		const mine = references.filter((reference) => added.has(lockKey(reference)));
		const locked = references.filter((reference) => !added.has(lockKey(reference)));
		await this.removeLater(this.keysAdded(locked, added));
		const entries = lockedEntries(locked, added);
		for (const reference of await this.undone(mine, durationMs)) entries.set(reference, 'funding');
		return entries;
	}

	/**
	 * Says how references stand, without acquiring their lock: what has to be written for that is
	 * removed again.
	 *
	 * @returns `claimed` for those that nobody has locked
	 */
	async inspect(references: string[]): Promise<Map<string, EntryState>> {
		const { added } = await this.keys.add(references.flatMap(this.lockKeys));
		const free = references.filter((reference) => added.has(lockKey(reference)));
		const locked = references.filter((reference) => !added.has(lockKey(reference)));
		await this.keys.remove(this.keysAdded(locked, added));
		const entries = lockedEntries(locked, added);
		await this.release(free);
		for (const reference of free) entries.set(reference, 'claimed');
		return entries;
	}

	/** The request was refused, or never sent: the next one may acquire the lock. */
	async release(references: string[]): Promise<void> {
		await this.keys.remove(references.flatMap(this.lockKeys));
	}

	/** The request was done. The key is added again, should another worker's write have undone it. */
	async settle(references: string[]): Promise<void> {
		await this.keys.add(references.map(lockKey));
		await this.keys.remove(
			references.flatMap((reference) => [doubtKey(reference), this.tokenKey(reference)]),
		);
	}

	/** The keys of locked references that asking for them has added. */
	private keysAdded(locked: string[], added: Set<string>): string[] {
		return locked.flatMap(this.lockKeys).filter((key) => added.has(key));
	}

	/** Removes keys when nobody waits any more whose own keys an earlier write could undo. */
	private async removeLater(keys: string[]): Promise<void> {
		if (keys.length === 0) return;
		await sleep(SETTLING_MS);
		await this.keys.remove(keys);
	}

	/** Waits until the keys count; returns the references whose lock another worker has taken over. */
	private async undone(references: string[], durationMs: number, round = 1): Promise<string[]> {
		if (references.length === 0) return [];
		await sleep(Math.max(SETTLING_MS, durationMs * SETTLING_FACTOR));
		const again = await this.keys.add(references.flatMap(this.lockKeys));
		const lost = references.filter((reference) => again.added.has(this.tokenKey(reference)));
		const unclaimed = lost.filter((reference) => again.added.has(lockKey(reference)));
		const elsewhere = lost.filter((reference) => !again.added.has(lockKey(reference)));
		await this.removeLater(elsewhere.map(this.tokenKey));
		if (round === MAX_ROUNDS) return lost;
		return [...elsewhere, ...(await this.undone(unclaimed, again.durationMs, round + 1))];
	}

	private readonly lockKeys = (reference: string): string[] => [
		lockKey(reference),
		doubtKey(reference),
		this.tokenKey(reference),
	];

	private readonly tokenKey = (reference: string): string => `${reference} ${this.id}`;
}

/** How locked references stand: without a doubt that was there before, the request was done. */
const lockedEntries = (locked: string[], added: Set<string>): LockedEntries =>
	new Map(
		locked.map((reference) => [reference, added.has(doubtKey(reference)) ? 'funded' : 'funding']),
	);

/** One request that holds the lock of its references from the first of its attempts on. */
export class LockedRequest {
	/** Whether the lock was acquired, so that the request may have been sent. */
	isLocked = false;

	constructor(
		private readonly lock: RequestLock,
		private readonly references: string[],
	) {}

	/** @throws LockedError when somebody else has the lock of a reference; none is kept then */
	readonly beforeSend: BeforeSend = async () => {
		if (this.isLocked) return;
		const locked = await this.lock.acquire(this.references);
		this.isLocked = locked.size === 0;
		if (this.isLocked) return;
		await this.lock.release(this.references.filter((reference) => !locked.has(reference)));
		throw new LockedError(locked);
	};

	/** The request was refused or never sent. */
	async release(): Promise<void> {
		if (this.isLocked) await this.lock.release(this.references);
	}

	/** The request was done. What cannot be kept reads as in doubt later, never as undone. */
	async settle(): Promise<void> {
		await this.lock.settle(this.references).catch(() => undefined);
	}
}
