import {
	DatabaseSync,
	type SQLInputValue,
	type SQLOutputValue,
	type StatementSync,
} from 'node:sqlite';
import { schema, SCHEMA_VERSION, tables } from './schema';

/** What a row of any table can hold. */
export type Row = Record<string, SQLOutputValue>;
type Parameters = Record<string, SQLInputValue>;

/** The embedded database: prepared statements, typed rows and transactions. */
export class Store {
	readonly #database: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	/**
	 * @param file where the state lives; `:memory:` keeps it for the life of the process
	 * @throws when the file cannot be opened, is no database, or was written with another schema
	 */
	constructor(file: string) {
		this.#database = new DatabaseSync(file);
		this.#checkVersion(file);
		this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		this.#database.exec('PRAGMA foreign_keys = ON;');
		this.#database.exec(`${schema} PRAGMA user_version = ${SCHEMA_VERSION};`);
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

	/** A file without any table is new. Nothing is written into one of another version. */
	#checkVersion(file: string): void {
		const version = Number(this.#prepare('PRAGMA user_version').get()?.['user_version']);
		const isNew = !this.has('SELECT 1 FROM sqlite_schema');
		if (isNew || version === SCHEMA_VERSION) return;
		this.#database.close();
		throw new Error(
			`the data file ${file} has the schema version ${version} and this sandbox needs version ${SCHEMA_VERSION}, so choose another file with --data or delete this one.`,
		);
	}

	#prepare(sql: string): StatementSync {
		const known = this.#statements.get(sql);
		if (known !== undefined) return known;
		const statement = this.#database.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}
}
