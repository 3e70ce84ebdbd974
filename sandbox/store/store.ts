import {
	DatabaseSync,
	type SQLInputValue,
	type SQLOutputValue,
	type StatementSync,
} from 'node:sqlite';
import { schema, tables } from './schema';

/** What a row of any table can hold. */
export type Row = Record<string, SQLOutputValue>;
type Parameters = Record<string, SQLInputValue>;

/** The embedded database: prepared statements, typed rows and transactions. */
export class Store {
	readonly #database: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	/**
	 * @param file where the state lives; `:memory:` keeps it for the life of the process
	 * @throws when the file cannot be opened or is no database
	 */
	constructor(file: string) {
		this.#database = new DatabaseSync(file);
		this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		this.#database.exec('PRAGMA foreign_keys = ON;');
		this.#database.exec(schema);
	}

	/** Runs a statement that changes rows; answers how many. */
	run(sql: string, parameters: Parameters = {}): number {
		return Number(this.#prepare(sql).run(parameters).changes);
	}

	/** Whether the statement finds any row. */
	has(sql: string, parameters: Parameters = {}): boolean {
		return this.#prepare(sql).get(parameters) !== undefined;
	}

	/** All rows. `R` names the columns of the statement; tables are STRICT. */
	all<R extends Row>(sql: string, parameters: Parameters = {}): R[] {
		return this.#prepare(sql).all(parameters) as R[];
	}

	/**
	 * Does the work in one transaction: all of it is kept, or, when it throws, none.
	 * Work that calls this again joins the transaction in progress.
	 */
	transaction<T>(work: () => T): T {
		if (this.#database.isTransaction) return work();
		this.#database.exec('BEGIN IMMEDIATE');
		try {
			const result = work();
			this.#database.exec('COMMIT');
			return result;
		} catch (error) {
			this.#database.exec('ROLLBACK');
			throw error;
		}
	}

	/** Removes every row except the settings (signing key, clock, token generation). */
	clear(): void {
		this.transaction(() => {
			// Tables are cleared from the referring ones to the referred ones.
			for (const table of [...tables].reverse()) this.run(`DELETE FROM ${table}`);
		});
	}

	close(): void {
		this.#database.close();
	}

	#prepare(sql: string): StatementSync {
		const known = this.#statements.get(sql);
		if (known !== undefined) return known;
		const statement = this.#database.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}
}
