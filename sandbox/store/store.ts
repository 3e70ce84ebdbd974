import { chmodSync, closeSync, openSync } from 'node:fs';
import {
	DatabaseSync,
	type SQLInputValue,
	type SQLOutputValue,
	type StatementSync,
} from 'node:sqlite';
import { logSchema, schema, SCHEMA_VERSION, tables } from './schema';

export type Row = Record<string, SQLOutputValue>;
export type Parameters = Record<string, SQLInputValue>;

const OWNER_ONLY = 0o600;

/** Makes the file when there is none, readable by its owner alone from the first moment. */
function createPrivate(file: string): void {
	closeSync(openSync(file, 'a', OWNER_ONLY));
}

type Found<R> = R | undefined;

/** The embedded database: prepared statements, typed rows and transactions. */
export class Store {
	private readonly database: DatabaseSync;
	private readonly statements = new Map<string, StatementSync>();
	private changeCount = 0;

	/**
	 * @param file where the state lives; `:memory:` keeps it for the life of the process
	 * @throws when the file cannot be opened, is no database, is in use, or was written with another schema
	 */
	constructor(file: string) {
		const isFile = file !== ':memory:';
		if (isFile) {
			createPrivate(file);
		}

		this.database = new DatabaseSync(file);
		try {
			this.lock(file);
			this.checkVersion(file);
		} catch (error) {
			this.database.close();
			throw error;
		}

		// It holds the key that signs tokens. What SQLite puts beside it has the same mode.
		if (isFile) {
			chmodSync(file, OWNER_ONLY);
		}

		this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		this.database.exec('PRAGMA foreign_keys = ON;');
		this.database.exec(`${schema} PRAGMA user_version = ${SCHEMA_VERSION};`);
		this.database.exec(logSchema);
	}

	/** Grows with every change of anything that a page can show. */
	get version(): number {
		return this.changeCount;
	}

	/** Counts a change of something that is kept elsewhere. */
	touch(): void {
		this.changeCount += 1;
	}

	/** Runs a statement that changes rows; answers how many. */
	run(sql: string, parameters: Parameters = {}): number {
		this.changeCount += 1;
		return Number(this.prepare(sql).run(parameters).changes);
	}

	insert(table: string, row: Parameters): void {
		const names = Object.keys(row);
		const values = names.map((name) => `$${name}`);
		this.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`, row);
	}

	/** Changes these columns of the row with this id; answers whether there is one. */
	update(table: string, id: string | number, changes: Parameters): boolean {
		const assignments = Object.keys(changes).map((name) => `${name} = $${name}`);
		const sql = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = $id`;
		return this.run(sql, { ...changes, id }) > 0;
	}

	has(sql: string, parameters: Parameters = {}): boolean {
		return this.prepare(sql).get(parameters) !== undefined;
	}

	/** The row with this ID, or undefined. */
	get<R extends Row>(table: string, id: string): Found<R> {
		return this.first<R>(`SELECT * FROM ${table} WHERE id = $id`, { id });
	}

	/** The one number that a statement always finds. */
	number(sql: string, parameters: Parameters = {}): number {
		const row = this.prepare(sql).get(parameters) ?? {};
		const [value] = Object.values(row);
		return Number(value);
	}

	/** The first row, or undefined. `R` names the columns of the statement; tables are STRICT. */
	first<R extends Row>(sql: string, parameters: Parameters = {}): Found<R> {
		return this.prepare(sql).get(parameters) as Found<R>;
	}

	all<R extends Row>(sql: string, parameters: Parameters = {}): R[] {
		return this.prepare(sql).all(parameters) as R[];
	}

	/**
	 * Does the work in one transaction: all of it is kept, or, when it throws, none.
	 * Work that calls this again joins the transaction in progress.
	 */
	transaction<T>(work: () => T): T {
		if (this.database.isTransaction) {
			return work();
		}

		this.database.exec('BEGIN IMMEDIATE');

		try {
			const result = work();
			this.database.exec('COMMIT');
			return result;
		} catch (error) {
			this.database.exec('ROLLBACK');
			throw error;
		}
	}

	/** Removes every row except the settings (signing key, clock, token generation) and the snapshots. */
	clear(): void {
		this.transaction(() => {
			// Tables are cleared from the referring ones to the referred ones.
			for (const table of [...tables].reverse()) {
				this.run(`DELETE FROM ${table}`);
			}
		});
	}

	close(): void {
		this.database.close();
	}

	/** Keeps every other process out until this one ends, however it ends: the system lets go of the lock. */
	private lock(file: string): void {
		try {
			this.database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
		} catch (error) {
			if (error instanceof Error && error.message === 'database is locked') {
				throw new Error(
					`the data file ${file} is in use by another sandbox, so stop that one or choose another file with --data.`,
				);
			}

			throw error;
		}
	}

	/** A file without any table is new. Nothing is written into one of another version. */
	private checkVersion(file: string): void {
		const version = this.number('PRAGMA user_version');
		const isNew = !this.has('SELECT 1 FROM sqlite_schema');
		if (isNew || version === SCHEMA_VERSION) {
			return;
		}

		throw new Error(
			`the data file ${file} has the schema version ${version} and this sandbox needs version ${SCHEMA_VERSION}, so choose another file with --data or delete this one.`,
		);
	}

	private prepare(sql: string): StatementSync {
		const known = this.statements.get(sql);
		if (known !== undefined) {
			return known;
		}

		const statement = this.database.prepare(sql);
		this.statements.set(sql, statement);
		return statement;
	}
}
