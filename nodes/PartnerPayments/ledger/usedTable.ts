import { sleep, type DeduplicationHelperFunctions, type IExecuteFunctions } from 'n8n-workflow';

import { LedgerError } from './ledger';

/*
 * Which table a node has paid with, in n8n's own store for the node. n8n forgets it with the workflow, and
 * keeps it when the table is deleted, made again, or imported: so that no node pays with another table
 * before a person has confirmed it.
 *
 * The store is a set of keys, in which n8n finds a key only by adding it. A table has two keys that are
 * written together: a process that dies while it looks for the first one has not written the second.
 */

export interface UsedTableHost extends Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'> {
	helpers: Pick<
		DeduplicationHelperFunctions,
		| 'checkProcessedAndRecord'
		| 'clearAllProcessedItems'
		| 'getProcessedDataCount'
		| 'removeProcessed'
	>;
}

const OPTIONS = { mode: 'entries' as const };
const RETRY_PAUSES_MS = [50, 200, 800];

/** The tables that nodes of this process have paid with. */
const knownTables = new Map<string, string>();

/** Remembers the table that a node pays with. */
export class UsedTable {
	private readonly node: string;

	constructor(private readonly n8n: UsedTableHost) {
		this.node = JSON.stringify([n8n.getWorkflow().id, n8n.getNode().id]);
	}

	/** Whether the node has paid with a table. */
	async isAny(): Promise<boolean> {
		if (knownTables.has(this.node)) {
			return true;
		}
		return (await this.count()) > 0;
	}

	/** Whether the node may pay with a table: it has used it, or none before. Remembers it then. */
	async accept(tableId: string): Promise<boolean> {
		const known = knownTables.get(this.node);
		if (known !== undefined) {
			return known === tableId;
		}
		const isUsed = (await this.count()) === 0 ? await this.add(tableId) : await this.has(tableId);
		if (isUsed) {
			knownTables.set(this.node, tableId);
		}
		return isUsed;
	}

	/** Replaces the table that the node has used: a person has confirmed this one. */
	async replace(tableId: string): Promise<void> {
		await withRetries(async () => {
			await this.n8n.helpers.clearAllProcessedItems('node', OPTIONS);
		});
		await this.add(tableId);
		knownTables.set(this.node, tableId);
	}

	private async count(): Promise<number> {
		return await withRetries(
			async () => await this.n8n.helpers.getProcessedDataCount('node', OPTIONS),
		);
	}

	private async add(tableId: string): Promise<true> {
		await this.record([keyOf(tableId), certainKeyOf(tableId)]);
		return true;
	}

	private async has(tableId: string): Promise<boolean> {
		const isNew = await this.record([keyOf(tableId)]);
		if (isNew) {
			await this.remove([keyOf(tableId)]);
			return false;
		}
		const isUncertain = await this.record([certainKeyOf(tableId)]);
		if (isUncertain) {
			await this.remove([keyOf(tableId), certainKeyOf(tableId)]);
			return false;
		}
		return true;
	}

	/** Whether the first of the keys was not there. */
	private async record(keys: string[]): Promise<boolean> {
		const { new: added } = await withRetries(
			async () => await this.n8n.helpers.checkProcessedAndRecord(keys, 'node', OPTIONS),
		);
		return added.includes(keys[0] ?? '');
	}

	private async remove(keys: string[]): Promise<void> {
		await withRetries(async () => {
			await this.n8n.helpers.removeProcessed(keys, 'node', OPTIONS);
		});
	}
}

const keyOf = (tableId: string): string => `ledger table ${tableId}`;
const certainKeyOf = (tableId: string): string => `ledger table ${tableId} is certain`;

/** Repeats a statement that fails, such as the first one of two processes at once. */
async function withRetries<Result>(statement: () => Promise<Result>): Promise<Result> {
	for (const pauseMs of RETRY_PAUSES_MS) {
		try {
			return await statement();
		} catch {
			await sleep(pauseMs);
		}
	}
	try {
		return await statement();
	} catch (error) {
		// n8n replaces messages that contain an error code, so the reason is in the hint.
		throw new LedgerError(
			"n8n's database cannot store which ledger this node uses",
			`Run it again with the same unique references when the database works. Its error: ${error instanceof Error ? error.message : String(error)}.`,
		);
	}
}
