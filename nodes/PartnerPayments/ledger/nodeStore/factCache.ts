import { deepCopy } from 'n8n-workflow';

import { isRecord } from '../../shared/json';
import { readNodeData, writeNodeData } from '../../shared/staticData';
import type { Claim, EntryFacts, EntryState, LedgerScope } from '../ledger';
import { nodeIdentity, type LedgerHost } from './host';

/** How many entries of a node are kept in the workflow's static data, the newest ones. */
export const MAX_STORED = 2_000;
/** How many are kept in the process. */
const MAX_CACHED = 50_000;

/** What is known of a reference beside its keys. */
export interface CachedEntry {
	/** What the reference stands for, as text. */
	content: string;
	/** How far it came before its request, or what the request came to. */
	state: EntryState;
	facts: EntryFacts;
	isApprovalUnanswered: boolean;
	/** Whether its request was sent, or was about to be, by this process. */
	isSent?: boolean;
	/** Whether the last run of this process that worked on it has ended. Known within the process only. */
	isFinished?: boolean;
}

/** The name of what is known of a reference. */
export const entryName = (
	{ kind, environment }: LedgerScope,
	{ workspaceId, reference }: Claim,
): string => JSON.stringify([kind, environment, workspaceId, reference]);

const cachesByNode = new Map<string, Map<string, CachedEntry>>();

/**
 * What the references of one node led to. It is kept in the process, for executions at the same time
 * and for manual ones, whose static data n8n does not save, and in the workflow's static data, which
 * n8n saves at the end of a production execution. It may forget: whether something may be paid is told
 * by the keys in n8n's database, never by this.
 */
export class FactCache {
	private readonly entries: Map<string, CachedEntry>;
	/** What this run has learned, by name. */
	private readonly learned = new Set<string>();

	constructor(private readonly n8n: LedgerHost) {
		const node = nodeIdentity(n8n);
		this.entries = cachesByNode.get(node) ?? new Map<string, CachedEntry>();
		cachesByNode.set(node, this.entries);
		for (const [name, entry] of Object.entries(deepCopy(readNodeData(this.n8n)))) {
			if (!this.entries.has(name) && isEntry(entry)) this.entries.set(name, entry);
		}
	}

	/** What is known of a reference; undefined when that was forgotten, or never known. */
	read(name: string): CachedEntry | undefined {
		return this.entries.get(name);
	}

	/** Keeps an entry in the process, as the newest one. */
	write(name: string, entry: CachedEntry): void {
		this.entries.delete(name);
		this.entries.set(name, entry);
		for (const oldest of this.entries.keys()) {
			if (this.entries.size <= MAX_CACHED) break;
			this.entries.delete(oldest);
		}
	}

	/** The entry as it is when it is stored is to be stored. */
	markLearned(name: string): void {
		this.learned.add(name);
	}

	/** Forgets a reference, also where it is stored. */
	delete(name: string): void {
		const entry = this.entries.get(name);
		this.entries.delete(name);
		if (entry !== undefined && isStored(entry)) this.learned.add(name);
	}

	/**
	 * Hands n8n what this process knows, when this run has learned something; n8n saves it when the
	 * execution ends, be it with an error. What other runs have learned goes with it.
	 */
	store(): void {
		if (this.learned.size === 0) return;
		const stored = new Map(Object.entries(readNodeData(this.n8n)));
		for (const name of this.learned) stored.delete(name);
		for (const [name, entry] of [...this.entries].slice(-MAX_STORED)) {
			stored.delete(name);
			if (isStored(entry)) stored.set(name, { ...entry, isFinished: false });
		}
		this.learned.clear();
		writeNodeData(this.n8n, Object.fromEntries([...stored].slice(-MAX_STORED)));
	}
}

/** A reference that was only claimed has nothing worth storing. */
const isStored = ({ state }: CachedEntry): boolean => state !== 'claimed';

const isEntry = (value: unknown): value is CachedEntry =>
	isRecord(value) &&
	typeof value.content === 'string' &&
	typeof value.state === 'string' &&
	typeof value.isApprovalUnanswered === 'boolean' &&
	isRecord(value.facts);
