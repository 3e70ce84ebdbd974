import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../shared/json';
import type { LedgerEntry } from './entry';
import { nodeIdentity } from './keyStore';

/** How many entries of a node are kept in the workflow's static data, the newest ones. */
const MAX_STORED = 2_000;
/** How many are kept in the process. */
const MAX_CACHED = 50_000;
const STATIC_KEY = 'partnerPayments';

/** An entry and what its reference stands for. */
interface CachedEntry extends LedgerEntry {
	/** What is paid to whom, as text: whether a second use of the reference means the same. */
	content: string;
}

const cachesByNode = new Map<string, Map<string, CachedEntry>>();

/**
 * What the references of one node led to. It is kept in the process, for executions at the same time
 * and for manual ones, whose static data n8n does not save, and in the workflow's static data, which
 * n8n saves at the end of a production execution. It may forget: whether something was paid is told
 * by the keys in n8n's database, never by this.
 */
export class EntryCache {
	private readonly entries: Map<string, CachedEntry>;

	/** @param scope what the references belong to; those of another scope are others */
	constructor(
		private readonly n8n: IExecuteFunctions,
		private readonly scope: string,
	) {
		const node = nodeIdentity(n8n);
		this.entries = cachesByNode.get(node) ?? new Map<string, CachedEntry>();
		cachesByNode.set(node, this.entries);
		for (const [name, entry] of Object.entries(this.stored())) {
			if (!this.entries.has(name) && isEntry(entry)) this.entries.set(name, entry);
		}
	}

	read(reference: string): CachedEntry | undefined {
		return this.entries.get(`${this.scope} ${reference}`);
	}

	/** Keeps an entry as the newest one. */
	write(reference: string, entry: CachedEntry): void {
		const name = `${this.scope} ${reference}`;
		this.entries.delete(name);
		this.entries.set(name, entry);
		for (const oldest of this.entries.keys()) {
			if (this.entries.size <= MAX_CACHED) break;
			this.entries.delete(oldest);
		}
	}

	/** Hands the newest to n8n, which saves them when the execution ends, be it with an error. */
	store(): void {
		const newest = Object.fromEntries([...this.entries].slice(-MAX_STORED));
		const data = this.n8n.getWorkflowStaticData('global');
		data[STATIC_KEY] = { ...this.nodes(), [this.n8n.getNode().id]: newest };
	}

	/** What is stored for this node; a copy, since n8n watches the original. */
	private stored(): Record<string, unknown> {
		const stored = this.nodes()[this.n8n.getNode().id];
		return isRecord(stored) ? deepCopy(stored) : {};
	}

	/** By the ID of the node, which stays when the node is renamed. */
	private nodes(): Record<string, unknown> {
		const nodes: unknown = this.n8n.getWorkflowStaticData('global')[STATIC_KEY];
		return isRecord(nodes) ? nodes : {};
	}
}

const isEntry = (value: unknown): value is CachedEntry =>
	isRecord(value) &&
	typeof value.content === 'string' &&
	typeof value.state === 'string' &&
	isRecord(value.facts);
