import type { DeduplicationHelperFunctions, IExecuteFunctions } from 'n8n-workflow';

import { withRetries } from '../shared/retries';
import { LedgerError } from './ledger';

/*
 * Which table a node has paid with, in n8n's own store for the node. n8n forgets it with the workflow, and
 * keeps it when the table is deleted, made again, or imported: so that no node pays with another table
 * before a person has confirmed it.
 *
 * The store is a set of keys, in which n8n finds a key only by adding it. So nothing is ever taken out of
 * it: a table is the node's own while its key is the only one. A node that has looked at two tables pays
 * with neither, until a person confirms one. Executions at the same time can only add, so that none of them
 * takes what another one has added for its own.
 */

export interface UsedTableHost extends Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'> {
	helpers: Pick<
		DeduplicationHelperFunctions,
		'checkProcessedAndRecord' | 'clearAllProcessedItems' | 'getProcessedDataCount'
	>;
}

const OPTIONS = { mode: 'entries' as const };

/** The tables that nodes have paid with in one process, by node. */
export type KnownTables = Map<string, string>;

const knownInThisProcess: KnownTables = new Map();

/** Remembers the table that a node pays with. */
export class UsedTable {
	private readonly node: string;

	constructor(
		private readonly n8n: UsedTableHost,
		private readonly knownTables = knownInThisProcess,
	) {
		this.node = JSON.stringify([n8n.getWorkflow().id, n8n.getNode().id]);
	}

	/** Whether the node may make a table: it has never met one. */
	async mayCreateTable(): Promise<boolean> {
		if (this.knownTables.has(this.node)) {
			return false;
		}
		return (await this.count()) === 0;
	}

	/** Whether the node may pay with a table: it has used this one alone, or none yet. Remembers that it has met it. */
	async accept(tableId: string): Promise<boolean> {
		const usedTableId = this.knownTables.get(this.node);
		if (usedTableId !== undefined) {
			return usedTableId === tableId;
		}
		const countBefore = await this.count();
		const isNew = await this.add(tableId);
		// The count alone is not enough: two executions at once may lose each other's key.
		const isSecond = countBefore > 0 && isNew;
		if (isSecond || (await this.count()) > 1) {
			return false;
		}
		this.knownTables.set(this.node, tableId);
		return true;
	}

	/** Replaces the table that the node has used: a person has confirmed this one. */
	async replace(tableId: string): Promise<void> {
		await stored(async () => {
			await this.n8n.helpers.clearAllProcessedItems('node', OPTIONS);
		});
		await this.add(tableId);
		this.knownTables.set(this.node, tableId);
	}

	private async count(): Promise<number> {
		return await stored(async () => await this.n8n.helpers.getProcessedDataCount('node', OPTIONS));
	}

	/** Adds the table's key; true if it was new. */
	private async add(tableId: string): Promise<boolean> {
		const key = `ledger table ${tableId}`;
		const added = await stored(
			async () => await this.n8n.helpers.checkProcessedAndRecord([key], 'node', OPTIONS),
		);
		return added.new.length > 0;
	}
}

/** Repeats a statement; throws a LedgerError when n8n's database does not work. */
async function stored<Result>(statement: () => Promise<Result>): Promise<Result> {
	return await withRetries(statement).catch((error: unknown) => {
		// n8n replaces messages that contain an error code, so the reason is in the hint.
		const reason = error instanceof Error ? error.message : String(error);
		throw new LedgerError(
			"n8n's database cannot store which ledger this node uses",
			`Run it again with the same unique references when the database works. Its error: ${reason}.`,
		);
	});
}
