import { deepCopy, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../service/api/responseReaders';
import { nodeName } from './keys';

/** How many references of a node are kept in the workflow's static data, the newest ones. */
const MOST_STORED = 2_000;
/** How many are kept in the process. */
const MOST_KNOWN = 50_000;
const STATIC_KEY = 'partnerPayments';

/** What a reference led to. */
export interface Result {
	/** What is paid to whom, in words: whether a second use of the reference means the same. */
	content: string;
	/** What the operation puts out for it. */
	output: IDataObject;
}

const processMemories = new Map<string, Map<string, Result>>();

/**
 * What the references of one node led to. It is kept in the process, for executions at the same time
 * and for manual ones, whose static data n8n does not save, and in the workflow's static data, which
 * n8n saves at the end of a production execution. It may forget: whether something was paid is told
 * by the keys in n8n's database, never by this.
 */
export class Memory {
	private readonly known: Map<string, Result>;

	/** @param scope what the references belong to; those of another scope are others */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly scope: string,
	) {
		const node = nodeName(context);
		this.known = processMemories.get(node) ?? new Map<string, Result>();
		processMemories.set(node, this.known);
		for (const [name, result] of Object.entries(this.stored())) {
			if (!this.known.has(name) && isResult(result)) this.known.set(name, result);
		}
	}

	read(reference: string): Result | undefined {
		return this.known.get(this.scoped(reference));
	}

	/** The newest are the last ones. */
	remember(reference: string, result: Result): void {
		const name = this.scoped(reference);
		this.known.delete(name);
		this.known.set(name, result);
		for (const oldest of this.known.keys()) {
			if (this.known.size <= MOST_KNOWN) break;
			this.known.delete(oldest);
		}
	}

	/** Hands the newest to n8n, which saves them when the execution ends, be it with an error. */
	store(): void {
		const newest = [...this.known].slice(-MOST_STORED);
		const data = this.context.getWorkflowStaticData('global');
		data[STATIC_KEY] = { ...this.nodes(), [this.nodeId()]: Object.fromEntries(newest) };
	}

	/** What is stored for this node; a copy, since n8n watches the original. */
	private stored(): Record<string, unknown> {
		const stored = this.nodes()[this.nodeId()];
		return isRecord(stored) ? deepCopy(stored) : {};
	}

	/** By the id of the node, which stays when the node is renamed. */
	private nodes(): Record<string, unknown> {
		const nodes: unknown = this.context.getWorkflowStaticData('global')[STATIC_KEY];
		return isRecord(nodes) ? nodes : {};
	}

	private scoped(reference: string): string {
		return `${this.scope} ${reference}`;
	}

	private nodeId(): string {
		return this.context.getNode().id;
	}
}

const isResult = (value: unknown): value is Result =>
	isRecord(value) && typeof value.content === 'string' && isRecord(value.output);
