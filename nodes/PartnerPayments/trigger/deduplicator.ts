import { createHash, randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readNodeData, writeNodeData } from '../shared/staticData';
import { stringOrEmpty } from '../shared/typeGuards';
import type { ServiceEvent } from './eventParsing';
import { ProcessedKeys, type ClaimHost } from './processedKeys';
import { triggerKey } from './triggerData';

/** How many events a trigger remembers, and the most that a delivery may have. */
export const MAX_EVENTS = 5000;
/** 48 bits. */
const DIGEST_LENGTH = 8;
/** A claim without an execution ends after this time. */
const CLAIM_TIMEOUT_MS = 60_000;

/**
 * The events, or deposits, that one trigger knows in this process: those claimed for an execution, and
 * those with which one has begun. That execution stores the latter with the workflow.
 */
export class Deduplicator {
	/** Execution IDs by digest, the newest last. */
	private begun = new Map<string, string>();
	/** When each claim ends, the newest last. */
	private readonly claims = new Map<string, number>();
	private isLoaded = false;

	load(stored: unknown): void {
		if (this.isLoaded) {
			return;
		}
		this.isLoaded = true;
		const earlier = digestsIn(stringOrEmpty(stored)).map((digest) => [digest, ''] as const);
		this.begun = new Map([...earlier, ...this.begun]);
	}

	isKnown(digest: string): boolean {
		return this.begun.has(digest) || (this.claims.get(digest) ?? 0) > Date.now();
	}

	/** Whether a claim still waits for its execution. */
	isPending(digest: string): boolean {
		const until = this.claims.get(digest) ?? 0;
		return until > Date.now() && until < Infinity;
	}

	/** Claims a new digest. The caller must hold or release it. */
	claim(digest: string): boolean {
		if (this.isKnown(digest)) {
			return false;
		}
		this.setClaim(digest, Date.now() + CLAIM_TIMEOUT_MS);
		return true;
	}

	/** An execution has started for these claims. It may have to wait for its turn. */
	hold(digests: string[]): void {
		for (const digest of digests) {
			if (!this.begun.has(digest)) {
				this.setClaim(digest, Infinity);
			}
		}
	}

	/** These may start an execution when they come again. */
	release(digests: string[]): void {
		for (const digest of digests) {
			this.claims.delete(digest);
		}
	}

	/** An execution begins, perhaps for the second time. Returns the digests with which no other one has begun. */
	begin(digests: string[], execution: string): string[] {
		const own = digests.filter((digest) => (this.begun.get(digest) ?? execution) === execution);
		for (const digest of own) {
			this.begun.set(digest, execution);
		}
		this.release(own);
		return own;
	}

	/** The digests with which an execution has begun, as text to store. Keeps `present` longest. */
	stored(present: string[] = []): string {
		for (const digest of present) {
			const execution = this.begun.get(digest);
			if (this.begun.delete(digest)) {
				this.begun.set(digest, execution ?? '');
			}
		}
		const latest = [...this.begun].slice(-MAX_EVENTS);
		if (this.begun.size > MAX_EVENTS) {
			this.begun = new Map(latest);
		}
		return latest.map(([digest]) => digest).join('');
	}

	private setClaim(digest: string, until: number): void {
		this.claims.delete(digest);
		this.claims.set(digest, until);
		const [oldest] = this.claims.keys();
		if (this.claims.size > MAX_EVENTS && oldest !== undefined) {
			this.claims.delete(oldest);
		}
	}
}

const deduplicators = new Map<string, Deduplicator>();

export function deduplicatorFor(trigger: string): Deduplicator {
	const deduplicator = deduplicators.get(trigger) ?? new Deduplicator();
	deduplicators.set(trigger, deduplicator);
	return deduplicator;
}

export const digestsIn = (stored: string): string[] =>
	stored.match(new RegExp(`.{${DIGEST_LENGTH}}`, 'g')) ?? [];

export const digestOf = (identity: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(identity)).digest('base64').slice(0, DIGEST_LENGTH);

/**
 * The digest of an event: of its kind and ID, or of its kind and whole body when it has no ID. Two kinds
 * may share an ID. A partner's event without an ID and a time may happen again, so it is always new.
 */
export function eventDigest({ kind, id, subject, occurredAt, raw }: ServiceEvent): string {
	if (id !== undefined) {
		return digestOf([kind, id]);
	}
	const mayRecur = subject === 'partner' && occurredAt === undefined;
	return digestOf([kind, null, mayRecur ? randomUUID() : raw]);
}

/** Two keys for each event. */
const MAX_KEYS = 10_000;

export interface ItemToClaim extends INodeExecutionData {
	digest: string;
}

export type ClaimingHost = ClaimHost &
	Pick<IExecuteFunctions, 'getExecutionId' | 'getInputData' | 'getMode' | 'logger'>;

/**
 * The items of an execution with which no other one has begun.
 *
 * What this process has received needs no database, and is stored when the execution ends. Two executions
 * may have what another process has received: the first to begin claims it in n8n's database, and the
 * other one leaves it out. An item whose claim cannot be kept is never dropped.
 */
export async function claimItems(n8n: ClaimingHost): Promise<INodeExecutionData[]> {
	const items = n8n.getInputData();
	// A retried execution needs its event again.
	if (['manual', 'retry'].includes(n8n.getMode())) {
		return items;
	}

	const deduplicator = deduplicatorFor(triggerKey(n8n));
	deduplicator.load(readNodeData(n8n).started);
	const digests = items.flatMap(({ digest }) => stringOrEmpty(digest) || []);
	const received = new Set(digests.filter((digest) => deduplicator.isKnown(digest)));
	const own = new Set(deduplicator.begin([...received], n8n.getExecutionId()));

	if (own.size > 0) {
		writeNodeData(n8n, { started: deduplicator.stored() });
	}

	const elsewhere = digests.filter((digest) => !received.has(digest));
	const taken = await takenByOthers(n8n, elsewhere).catch(() => {
		n8n.logger.warn(
			`"${n8n.getNode().name}" cannot record in n8n's database which execution has an event, so an event may run twice`,
		);
		return new Set<unknown>();
	});
	for (const digest of received) {
		if (!own.has(digest)) {
			taken.add(digest);
		}
	}

	return items.filter(({ digest }) => !taken.has(digest));
}

async function takenByOthers(n8n: ClaimingHost, digests: string[]): Promise<Set<unknown>> {
	if (digests.length === 0) {
		return new Set();
	}

	const event = (digest: string): string => JSON.stringify(['event', digest]);
	const execution = (digest: string): string =>
		JSON.stringify(['execution', digest, n8n.getExecutionId()]);
	// Another execution has an event whose key was there, unless this one began before: n8n may begin it twice.
	const isTaken = (digest: string, absent: Set<string>): boolean =>
		!absent.has(event(digest)) && absent.has(execution(digest));

	const absent = await new ProcessedKeys(n8n, MAX_KEYS).change({
		add: digests.flatMap((digest) => [event(digest), execution(digest)]),
		remove: (absentKeys) => digests.filter((digest) => isTaken(digest, absentKeys)).map(execution),
	});
	return new Set(digests.filter((digest) => isTaken(digest, absent)));
}
