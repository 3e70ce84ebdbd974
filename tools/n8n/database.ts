import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { CipherAes256CBC } from 'n8n-core/dist/encryption/aes-256-cbc';

/** How long n8n may keep everybody else from reading: in n8n 1.x writers lock readers out. */
const BUSY_TIMEOUT_MS = 10_000;

/** All tables but the one in which n8n keeps the keys of its own API. */
const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'user_api_keys'`;

/** An execution as it stands in n8n's database. */
export interface StoredExecution {
	status: string;
	/** ISO 8601, in UTC, with milliseconds. */
	startedAt: string;
	/** What it read and gave out, in n8n's serialization. */
	data: string;
}

/** n8n's SQLite database, for what n8n's own interfaces do not show, or show too slowly. */
export class N8nDatabase {
	/** @param home n8n's user folder, which holds `.n8n` */
	constructor(private readonly home: string) {}

	/**
	 * The ids of the executions of a workflow, finished or not, the oldest first. Sub-executions are left
	 * out, which n8n does not show.
	 */
	executionIds(workflowId: string): string[] {
		const query = `SELECT id FROM execution_entity
			WHERE workflowId = ? AND mode != 'integrated' ORDER BY id`;

		return this.rows(query, workflowId).map(({ id }) => String(id));
	}

	/** The statuses of all executions of a workflow that n8n keeps, those that another one started too. */
	statuses(workflowId: string): string[] {
		const query = `SELECT status FROM execution_entity
			WHERE workflowId = ? AND deletedAt IS NULL ORDER BY id`;

		return this.rows(query, workflowId).map(({ status }) => String(status));
	}

	/** How many executions of a workflow have ended. */
	countEnded(workflowId: string): number {
		const [row] = this.rows(
			`SELECT count(*) AS ended FROM execution_entity
			WHERE workflowId = ? AND mode != 'integrated' AND status NOT IN ('new', 'running', 'waiting')`,
			workflowId,
		);

		return Number(row?.['ended']);
	}

	/** How many executions of a workflow are to end yet. */
	countUnfinished(workflowId: string): number {
		const [row] = this.rows(
			`SELECT count(*) AS unfinished FROM execution_entity
			WHERE workflowId = ? AND mode != 'integrated' AND status IN ('new', 'running', 'waiting')`,
			workflowId,
		);

		return Number(row?.['unfinished']);
	}

	/** All executions of a workflow. */
	executions(workflowId: string): StoredExecution[] {
		const rows = this.rows(
			`SELECT status, startedAt, data FROM execution_entity
			JOIN execution_data ON executionId = id
			WHERE workflowId = ? AND mode != 'integrated'`,
			workflowId,
		);

		return rows.map(({ status, startedAt, data }) => ({
			status: String(status),
			startedAt: `${String(startedAt).replace(' ', 'T')}Z`,
			data: String(data),
		}));
	}

	/** What n8n has stored in a credential, decrypted, which it shows to no user. */
	credential(name: string): Record<string, unknown> {
		const found = this.credentials(name).at(0);
		if (!found) {
			throw new Error(`n8n has no credential "${name}"`);
		}

		return found;
	}

	/** What n8n has stored in all credentials, or in those with a name, decrypted. */
	credentials(name?: string): Array<Record<string, unknown>> {
		const settings = readFileSync(join(this.home, '.n8n/config'), 'utf8');
		const { encryptionKey } = JSON.parse(settings) as { encryptionKey: string };
		return this.rows('SELECT name, data FROM credentials_entity')
			.filter((row) => name === undefined || row['name'] === name)
			.map(({ data }) => {
				const text = new CipherAes256CBC().decrypt(String(data), encryptionKey);
				return JSON.parse(text) as Record<string, unknown>;
			});
	}

	/** The static data of a workflow, or of all workflows that have any. */
	staticData(workflowId?: string): Array<Record<string, unknown>> {
		return this.rows('SELECT id, staticData FROM workflow_entity WHERE staticData IS NOT NULL')
			.filter(({ id }) => workflowId === undefined || id === workflowId)
			.map(({ staticData }) => JSON.parse(String(staticData)) as Record<string, unknown>);
	}

	/**
	 * The tables in which one of the texts stands in clear.
	 *
	 * @returns for each text that was found: the tables
	 */
	tablesWith(texts: string[]): Map<string, Set<string>> {
		const tables = this.rows(TABLES).map(({ name }) => String(name));
		const found = new Map<string, Set<string>>();
		for (const table of tables) {
			for (const text of this.textsIn(table, texts)) {
				const tablesOfText = found.get(text) ?? new Set();
				found.set(text, tablesOfText.add(table));
			}
		}

		return found;
	}

	/** The rows that a query finds. */
	rows(query: string, ...values: string[]): Array<Record<string, SQLOutputValue>> {
		return this.use({ readOnly: true }, (database) => database.prepare(query).all(...values));
	}

	/** Changes what is stored, for which n8n has no interface. */
	change(statement: string, ...values: string[]): void {
		this.use({}, (database) => database.prepare(statement).run(...values));
	}

	/** Which of the texts stand in a table. */
	private textsIn(table: string, texts: string[]): Set<string> {
		const found = new Set<string>();
		this.use({ readOnly: true }, (database) => {
			for (const row of database.prepare(`SELECT * FROM "${table}"`).iterate()) {
				const content = Object.values(row).map(String).join('\n');
				for (const text of texts.filter((each) => content.includes(each))) {
					found.add(text);
				}
			}
		});

		return found;
	}

	private use<Result>(
		options: { readOnly?: boolean },
		work: (database: DatabaseSync) => Result,
	): Result {
		const file = join(this.home, '.n8n/database.sqlite');
		const database = new DatabaseSync(file, { ...options, timeout: BUSY_TIMEOUT_MS });
		try {
			return work(database);
		} finally {
			database.close();
		}
	}
}
