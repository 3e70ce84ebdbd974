import { createHash } from 'crypto';

import type { ServiceEvent } from './eventParsing';

/** How many events one trigger keeps. Of a delivery with more, some would start again when it is repeated. */
export const MAX_EVENTS = 5000;
/** Characters of a digest: 48 bits, so that two events have the same one time in 10^10. */
const DIGEST_LENGTH = 8;

/** After so long, a claim that was neither confirmed nor released counts as failed. */
const CLAIM_TIMEOUT_MS = 60_000;

/**
 * The events, or deposits, that one trigger knows: those that have started an execution, which outlive
 * the process in the workflow's static data, and those for which one is about to start.
 */
export class EventDeduplicator {
	/** The digests of events that have started an execution, the newest last. */
	private confirmed = new Set<string>();
	/** When each event was claimed for which an execution is about to start. */
	private readonly claimedAt = new Map<string, number>();
	private stored = '';

	/**
	 * Adopts what is stored. That may be older than what is known here, when deliveries overlap, or
	 * newer, when another process of this n8n has stored it.
	 */
	load(stored: unknown): void {
		if (typeof stored !== 'string' || stored === this.stored) return;
		this.confirmed = new Set([...digestsIn(stored), ...this.confirmed]);
		this.forgetOldest();
		this.stored = stored;
	}

	/** Whether this process has received the event, and an execution has been or is being started for it. */
	isKnown(digest: string): boolean {
		return this.confirmed.has(digest) || this.isClaimed(digest);
	}

	/** Whether a delivery is about to start an execution for the event. */
	isClaimed(digest: string): boolean {
		return Date.now() - (this.claimedAt.get(digest) ?? -Infinity) < CLAIM_TIMEOUT_MS;
	}

	/** Claims an event, if it is new; it has to be confirmed or released then. */
	claim(digest: string): boolean {
		if (this.isKnown(digest)) return false;
		this.claimedAt.set(digest, Date.now());
		return true;
	}

	/** Keeps events as the newest that have started an execution; returns what is to be stored. */
	confirm(digests: string[]): string {
		for (const digest of digests) {
			this.claimedAt.delete(digest);
			this.confirmed.delete(digest);
			this.confirmed.add(digest);
		}
		this.forgetOldest();
		this.stored = [...this.confirmed].join('');
		return this.stored;
	}

	/** Releases claimed events: the next delivery may start an execution for them. */
	release(digests: string[]): void {
		for (const digest of digests) this.claimedAt.delete(digest);
	}

	private forgetOldest(): void {
		for (const oldest of this.confirmed) {
			if (this.confirmed.size <= MAX_EVENTS) return;
			this.confirmed.delete(oldest);
		}
	}
}

const deduplicators = new Map<string, EventDeduplicator>();

/** The deduplicator that all deliveries to a trigger share in this process. */
export function deduplicatorFor(trigger: string): EventDeduplicator {
	const deduplicator = deduplicators.get(trigger) ?? new EventDeduplicator();
	deduplicators.set(trigger, deduplicator);
	return deduplicator;
}

/** The digests in what a deduplicator has stored. */
export const digestsIn = (stored: string): string[] =>
	stored.match(new RegExp(`.{${DIGEST_LENGTH}}`, 'g')) ?? [];

/** What tells an event from others, in few characters. */
export const digestOf = (identity: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(identity)).digest('base64').slice(0, DIGEST_LENGTH);

/**
 * The digest of an event's kind and own ID, or of its kind and all of it when it has none. Two kinds may
 * share an ID: a change of the status to paid is another event than the payment.
 */
export const eventDigest = ({ kind, id, raw }: Pick<ServiceEvent, 'kind' | 'id' | 'raw'>): string =>
	digestOf(id === undefined ? [kind, null, raw] : [kind, id]);
