import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { ExecuteWorkflowData, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { COLUMNS, toRow, type Row } from '../../nodes/PartnerPayments/ledger/table/rows';
import { stringOrEmpty } from '../../nodes/PartnerPayments/shared/typeGuards';

const TABLE_ID = 'ledger0000000000';
/** How long a statement waits for those of other processes, in milliseconds. */
const BUSY_TIMEOUT_MS = 20_000;
const HOUR_MS = 3_600_000;

const OPERATORS: Record<string, string> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

interface FilterCondition {
	keyName: string;
	condition: string;
	keyValue: SQLInputValue;
}

/** As n8n has times in SQLite. */
const timeText = (time: number): string =>
	new Date(time).toISOString().replace('T', ' ').replace('Z', '');

const quoted = (name: string): string => `"${name}"`;

/**
 * The ledger's Data Table in a SQLite file that several processes share, reached as a node reaches those of
 * n8n: by inline workflows of its Data Table nodes. Each node is a statement of its own, as in n8n.
 */
export class DataTables {
	private readonly database: DatabaseSync;

	constructor(file: string) {
		this.database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
		this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		const columns = COLUMNS.map(({ name, type }) =>
			type === 'number' ? `${quoted(name)} REAL` : `${quoted(name)} TEXT`,
		);
		this.database.exec(
			`CREATE TABLE IF NOT EXISTS ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, ${columns.join(', ')},
			createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL)`,
		);
	}

	/**
	 * Executes the nodes of an inline workflow.
	 *
	 * @param before called before each statement: what it throws ends the execution there
	 */
	async execute(
		nodes: INode[],
		items: INodeExecutionData[],
		before: (index: number) => Promise<void>,
	): Promise<ExecuteWorkflowData> {
		const steps = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
		const listed: INodeExecutionData[] = [];
		let output: INodeExecutionData[] = [];

		for (const [index, { parameters }] of steps.entries()) {
			await before(index);
			if (parameters['operation'] === 'list') {
				listed.push({ json: { id: TABLE_ID, name: 'Payout Ledger', columns: COLUMNS } });
				continue;
			}

			const rows = this.run(parameters, items);
			output = rows.length === 0 ? [{ json: {} }] : rows.map((json) => ({ json }));
		}

		return { executionId: 'sub', data: [[...listed, ...output]] };
	}

	/** The rows that executions of a round have written. */
	rowsOf(round: number): Row[] {
		const query = 'SELECT * FROM ledger WHERE execution LIKE ? ORDER BY id';
		return this.database.prepare(query).all(`${round}-%`).map(fromDatabase).map(toRow);
	}

	/** Lets time pass for the rows of a round. */
	age(round: number): void {
		const update = `UPDATE ledger SET updatedAt = ? WHERE execution LIKE ?`;
		this.database.prepare(update).run(timeText(Date.now() - HOUR_MS), `${round}-%`);
	}

	close(): void {
		this.database.close();
	}

	private run(parameters: INode['parameters'], items: INodeExecutionData[]): IDataObject[] {
		const operation = stringOrEmpty(parameters['operation']);
		if (operation === 'insert') {
			this.insert(items.map(({ json }) => json));
			return [];
		}

		const { where, values } = whereOf(parameters);
		switch (operation) {
			case 'update': {
				const { value } = parameters['columns'] as { value: Record<string, SQLInputValue> };
				const assignments = [...Object.keys(value), 'updatedAt'].map(
					(name) => `${quoted(name)} = ?`,
				);
				const update = `UPDATE ledger SET ${assignments.join(', ')} WHERE ${where}`;
				this.database.prepare(update).run(...Object.values(value), timeText(Date.now()), ...values);
				return [];
			}
			case 'deleteRows':
				this.database.prepare(`DELETE FROM ledger WHERE ${where}`).run(...values);
				return [];
			case 'get': {
				const direction = parameters['orderByDirection'] === 'DESC' ? 'DESC' : 'ASC';
				const query = `SELECT * FROM ledger WHERE ${where} ORDER BY id ${direction} LIMIT ?`;
				const limit = Number(parameters['limit']);
				return this.database
					.prepare(query)
					.all(...values, limit)
					.map(fromDatabase);
			}
			default:
				throw new Error(`The Data Tables have no operation ${operation}`);
		}
	}

	private insert(rows: IDataObject[]): void {
		const [first] = rows;
		if (first === undefined) {
			return;
		}

		const names = Object.keys(first);
		const now = timeText(Date.now());
		const marks = `(${[...names, 'createdAt', 'updatedAt'].map(() => '?').join(', ')})`;
		const columns = [...names, 'createdAt', 'updatedAt'].map(quoted).join(', ');
		const values = rows.flatMap((row) => [
			...names.map((name) => row[name] as SQLInputValue),
			now,
			now,
		]);
		const insert = `INSERT INTO ledger (${columns}) VALUES ${rows.map(() => marks).join(', ')}`;
		this.database.prepare(insert).run(...values);
	}
}

function whereOf({ filters, matchType }: INode['parameters']) {
	const { conditions } = filters as unknown as { conditions: FilterCondition[] };
	const texts = conditions.map(({ keyName, condition }) => {
		const column = quoted(keyName);
		if (condition === 'neq') {
			return `(${column} != ? OR ${column} IS NULL)`;
		}

		const operator = OPERATORS[condition];
		if (operator === undefined) {
			throw new Error(`The Data Tables have no condition ${condition}`);
		}

		return `${column} ${operator} ?`;
	});

	const where = texts.join(matchType === 'allConditions' ? ' AND ' : ' OR ');
	return { where, values: conditions.map(({ keyValue }) => keyValue) };
}

/** A row as n8n returns it. */
function fromDatabase(row: Record<string, unknown>): IDataObject {
	const { createdAt, updatedAt, ...rest } = row as IDataObject;
	const timeOf = (text: unknown): string => `${String(text).replace(' ', 'T')}Z`;
	return { ...rest, createdAt: timeOf(createdAt), updatedAt: timeOf(updatedAt) };
}
