import { createHash } from 'crypto';
import type {
	DeduplicationHelperFunctions,
	DeduplicationMode,
	DeduplicationScope,
	IDataObject,
} from 'n8n-workflow';

import type { ClaimHost } from '../../../nodes/PartnerPayments/trigger/processedKeys';
import { node as anyNode } from '../support';

/** A row of n8n's table `processed_data`. */
interface Row {
	mode: DeduplicationMode;
	data: string[];
}

/** One statement that n8n sends to its database. */
export interface Statement {
	verb: 'select' | 'insert' | 'update' | 'delete';
	/** `node` or `workflow`. */
	scope: DeduplicationScope;
	process: string;
}

/** An execution of a node, as the model tells it from others. */
export interface ExecutionOf {
	process: string;
	workflow?: string;
	node?: string;
	staticData?: IDataObject;
}

/**
 * n8n's store of keys, as its code has it: every helper reads the row in one statement, and writes it
 * in another. A row is made by an INSERT, which fails when there is one by then; an UPDATE of a row that
 * is gone does nothing.
 */
export class N8nDatabase {
	readonly rows = new Map<string, Row>();
	readonly statements: Statement[] = [];
	/** Called before a statement takes effect: to delay it, or to let it fail by throwing. */
	before: (statement: Statement, number: number) => Promise<void> = async () => {
		await Promise.resolve();
	};

	/** The keys of a row. */
	keys(context: string): string[] {
		return this.rows.get(context)?.data ?? [];
	}

	/** What a node that is executed has of n8n. */
	host({
		process,
		workflow = 'workflow-1',
		node = 'node-1',
		staticData = {},
	}: ExecutionOf): ClaimHost {
		const contextOf = (scope: DeduplicationScope): string =>
			JSON.stringify([workflow, scope === 'node' ? `n:${node}` : '']);
		const send = async <Result>(
			verb: Statement['verb'],
			scope: DeduplicationScope,
			effect: (context: string) => Result,
		): Promise<Result> => {
			const statement = { verb, scope, process };
			this.statements.push(statement);
			await this.before(statement, this.statements.length);
			return effect(contextOf(scope));
		};
		const select = async (scope: DeduplicationScope): Promise<Row | undefined> =>
			await send('select', scope, (context) => structuredClone(this.rows.get(context)));
		const insert = async (scope: DeduplicationScope, row: Row): Promise<void> => {
			await send('insert', scope, (context) => {
				if (this.rows.has(context)) {
					throw new Error('UNIQUE constraint failed');
				}
				this.rows.set(context, row);
			});
		};
		const update = async (scope: DeduplicationScope, row: Row): Promise<void> => {
			await send('update', scope, (context) => {
				if (this.rows.has(context)) {
					this.rows.set(context, row);
				}
			});
		};

		const helpers: DeduplicationHelperFunctions = {
			checkProcessedAndRecord: async (items, scope, { mode, maxEntries }) => {
				const row = await select(scope);
				if (row !== undefined && row.mode !== mode) {
					throw new Error('Deduplication data was originally saved with an incompatible setting');
				}
				const hashes = items.map(hashOf);
				if (row === undefined) {
					await insert(scope, { mode, data: hashes });
					return { new: items, processed: [] };
				}
				const known = new Set(row.data);
				const isNew = (_: unknown, index: number): boolean => !known.has(hashes[index] ?? '');
				row.data.push(...hashes.filter((hash) => !known.has(hash)));
				if (maxEntries) {
					row.data.splice(0, row.data.length - maxEntries);
				}
				await update(scope, row);
				return {
					new: items.filter(isNew),
					processed: items.filter((item, index) => !isNew(item, index)),
				};
			},
			checkProcessedItemsAndRecord: async () => await Promise.reject(new Error('is not used')),
			removeProcessed: async (items, scope) => {
				const row = await select(scope);
				if (row === undefined) {
					return;
				}
				const hashes = new Set(items.map(hashOf));
				await update(scope, { ...row, data: row.data.filter((hash) => !hashes.has(hash)) });
			},
			clearAllProcessedItems: async (scope) => {
				await send('delete', scope, (context) => this.rows.delete(context));
			},
			getProcessedDataCount: async (scope, { mode }) => {
				const row = await select(scope);
				return mode === 'entries' && row?.mode === mode ? row.data.length : 0;
			},
		};
		return {
			getNode: () => ({ ...anyNode, id: node }),
			getParentNodes: () => [],
			getWorkflow: () => ({ id: workflow, name: 'Payouts', active: true }),
			getWorkflowStaticData: () => staticData,
			helpers,
		};
	}
}

const hashOf = (item: string | number): string =>
	createHash('md5').update(item.toString()).digest('base64');
