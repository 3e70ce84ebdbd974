import type { IDataObject } from 'n8n-workflow';

import { isRecord, stringOrEmpty } from '../../shared/typeGuards';
import { LedgerError } from '../ledger';
import type { Condition, Row, RowValues } from './rows';

/** A Data Table, as n8n describes it. */
export interface TableInfo {
	id: string;
	name: string;
	columns: Array<{ name: string; type: string }>;
}

/** Reads a table that n8n has listed. */
export function tableInfoOf({ id, name, columns }: IDataObject): TableInfo {
	const records = [columns].flat().filter(isRecord);
	return {
		id: stringOrEmpty(id),
		name: stringOrEmpty(name),
		columns: records.map((column) => ({
			name: stringOrEmpty(column.name),
			type: stringOrEmpty(column.type),
		})),
	};
}

/** One thing to do with the rows of a table. */
export type Step =
	| { kind: 'insert'; rows: RowValues[] }
	| { kind: 'update'; all: Condition[]; values: Partial<RowValues> }
	| { kind: 'updateByIds'; ids: number[]; values: Partial<RowValues> }
	| { kind: 'delete'; all: Condition[] }
	/** Rows that meet all conditions, or any of them, by their ID. */
	| {
			kind: 'find';
			match: 'all' | 'any';
			conditions: Condition[];
			order: 'ascending' | 'descending';
	  };

/** What a store does at once at most. */
export interface StoreLimits {
	/** The rows that one `find` returns. */
	page: number;
	/** The rows that one `insert` takes. */
	insert: number;
	/** Up to so many conditions, asking for them is faster than reading all rows. */
	conditions: number;
	/** The steps of one run. */
	steps: number;
	/** Whether a `find` that returns a page has the first rows, or any. Known when the tables were listed. */
	isOrdered(): boolean;
	/** Whether conditions are few enough for one `find`. */
	fitsOneFind(match: 'all' | 'any', conditions: Condition[]): boolean;
}

/** The tables of a store, and what became of steps that ran beside the question for them. */
export interface ListedAndRun {
	/** Undefined where n8n cannot tell which tables there are. */
	tables: TableInfo[] | undefined;
	result: Row[] | LedgerError;
}

/** There is no table with the ID of the ledger: it was deleted, or is in another project. */
export class MissingTableError extends LedgerError {}

/**
 * A place with Data Tables: the project of the workflow, or another n8n. Every method throws a LedgerError
 * when n8n refuses it or does not answer. Without an answer, n8n may have done it, or may do it later.
 */
export interface TableStore {
	/** In words, to follow "in". */
	readonly place: string;
	readonly limits: StoreLimits;
	/** Its tables; undefined where n8n cannot tell which there are. */
	list(): Promise<TableInfo[] | undefined>;
	/** Asks for the columns of a ledger where `list` is undefined. */
	check(tableId: string): Promise<void>;
	/** Makes the ledger's table. Another execution may make it at the same time. */
	create(name: string): Promise<void>;
	/** Does steps one after the other, an `insert` only as the first one; returns the rows of the last `find`. */
	run(tableId: string, steps: Step[]): Promise<Row[]>;
	/** Lists the tables beside steps. A failure of the steps is a result. */
	listAndRun(tableId: string, steps: Step[]): Promise<ListedAndRun>;
	/** Does steps that must not be lost, also when n8n has ended the execution. */
	runDurably(tableId: string, steps: Step[]): Promise<DurableResult>;
}

/** What became of steps that must not be lost. */
export type DurableResult =
	/** They were done; with the rows of the last `find`. */
	| { kind: 'done'; rows: Row[] }
	/** n8n has ended the execution, and does them without an answer. */
	| { kind: 'handedOver' };
