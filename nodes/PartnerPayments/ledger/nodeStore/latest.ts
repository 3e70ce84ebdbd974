import { deepCopy } from 'n8n-workflow';

import { isRecord } from '../../shared/json';
import { readNodeData, writeNodeData } from '../../shared/staticData';
import type { State } from '../ledger';
import { nodeIdentity, type LedgerHost } from './host';

/** How many are kept in the workflow's static data, the newest ones. */
export const MAX_STORED = 2_000;
/** How many are kept in the process. */
const MAX_CACHED = 50_000;

/** What is known of a payment beside its keys. */
export interface Known {
	/** What the payment is, as `contentOf` writes it. */
	content: string;
	state: Extract<State, 'prepared' | 'unconfirmed' | 'funded' | 'awaiting_deposit'>;
	payableId?: string;
	fundingId?: string;
	pdfUrl?: string;
}

const cachesByNode = new Map<string, Map<string, Known>>();

/**
 * The IDs of a node's latest payments, by their keys: in the process, and in the workflow's static data,
 * which n8n saves at the end of a production execution. They may be forgotten: whether something may be
 * paid is said by the keys in n8n's database, never by this.
 */
export class Latest {
	private readonly entries: Map<string, Known>;

	constructor(private readonly n8n: LedgerHost) {
		const node = nodeIdentity(n8n);
		this.entries = cachesByNode.get(node) ?? new Map<string, Known>();
		cachesByNode.set(node, this.entries);
		for (const [key, known] of Object.entries(deepCopy(readNodeData(n8n))))
			if (!this.entries.has(key) && isKnown(known)) this.entries.set(key, known);
	}

	get(key: string): Known | undefined {
		return this.entries.get(key);
	}

	/** Keeps payments as the newest ones, and hands n8n what is to be saved. */
	keep(added: Array<[key: string, known: Known]>): void {
		for (const [key, known] of added) {
			this.entries.delete(key);
			this.entries.set(key, known);
		}
		for (const oldest of [...this.entries.keys()].slice(0, -MAX_CACHED))
			this.entries.delete(oldest);
		writeNodeData(this.n8n, Object.fromEntries([...this.entries].slice(-MAX_STORED)));
	}
}

const isKnown = (value: unknown): value is Known =>
	isRecord(value) && typeof value.content === 'string' && typeof value.state === 'string';
