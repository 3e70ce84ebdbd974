import { randomUUID } from 'node:crypto';
import type {
	ExecuteWorkflowData,
	IDataObject,
	INode,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

interface Table {
	id: string;
	name: string;
	columns: Array<{ name: string; type: string }>;
	rows: IDataObject[];
}

type Compare = (one: unknown, other: unknown) => boolean;

const CONDITIONS: Record<string, Compare> = {
	eq: (one, other) => one === other,
	neq: (one, other) => one !== other,
	gt: (one, other) => String(one) !== '' && compare(one, other) > 0,
	gte: (one, other) => compare(one, other) >= 0,
	lt: (one, other) => compare(one, other) < 0,
	lte: (one, other) => compare(one, other) <= 0,
};

const compare = (one: unknown, other: unknown): number => {
	if (typeof one === 'number' && typeof other === 'number') {
		return one - other;
	}

	return String(one).localeCompare(String(other));
};

/**
 * The Data Tables of a project in memory, reached as a node reaches those of n8n: by inline workflows of
 * its Data Table nodes. The contract of the ledger runs over both.
 */
export class DataTables {
	readonly tables: Table[] = [];
	/** The kinds of nodes of each sub-execution, such as `insert get`. */
	readonly executions: string[] = [];
	/** Called before a sub-execution takes effect: to delay it, or to let it fail by throwing. */
	before: (kinds: string) => Promise<void> = async () => {
		await Promise.resolve();
	};
	/** Called after it: to lose its answer by throwing. */
	after: (kinds: string) => Promise<void> = async () => {
		await Promise.resolve();
	};

	private nextRowId = 1;

	/** What a node that is executed has of n8n. */
	host(workflowId = 'workflow-1') {
		return {
			getWorkflow: () => ({ id: workflowId, name: 'Payouts', active: true }),
			executeWorkflow: async (
				info: { code?: IWorkflowBase },
				items: INodeExecutionData[] = [],
			): Promise<ExecuteWorkflowData> => {
				if (info.code === undefined) {
					throw new Error('A sub-workflow of the ledger is inline');
				}

				return await this.execute(info.code, items);
			},
		};
	}

	/** Adds a row to the first table, as another execution does. */
	add(row: object): void {
		const [table] = this.tables;
		if (table === undefined) {
			throw new Error('There is no table');
		}

		this.insert(table, { ...row });
	}

	async execute(
		{ nodes }: Pick<IWorkflowBase, 'nodes'>,
		items: INodeExecutionData[],
	): Promise<ExecuteWorkflowData> {
		const steps = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
		const kinds = steps.map(({ parameters }) => parameters['operation'] as string).join(' ');
		this.executions.push(kinds);
		await this.before(kinds);
		// n8n hands over copies.
		const input = structuredClone(items);
		const isMerged = nodes.some(({ type }) => type === 'n8n-nodes-base.merge');
		let output = input;
		const merged: INodeExecutionData[] = [];
		for (const [index, node] of steps.entries()) {
			output = this.run(node, index === 0 || (isMerged && index === 1) ? input : output);
			if (output.length === 0) {
				output = [{ json: {} }];
			}

			if (isMerged && index === 0) {
				merged.push(...output);
			}
		}

		await this.after(kinds);

		return { executionId: '2', data: [structuredClone([...merged, ...output])] };
	}

	private run({ parameters }: INode, input: INodeExecutionData[]): INodeExecutionData[] {
		const { operation } = parameters;
		if (operation === 'list') {
			return this.tables.map(({ id, name, columns }) => ({ json: { id, name, columns } }));
		}

		if (operation === 'create') {
			return [{ json: this.create(parameters) }];
		}

		const table = this.tableOf(parameters);
		if (operation === 'insert') {
			for (const { json } of input) {
				this.insert(table, json);
			}

			return [{ json: { count: input.length } }];
		}

		assertColumns(table, parameters);
		const found = table.rows.filter(matcherOf(parameters));
		if (operation === 'deleteRows') {
			table.rows = table.rows.filter((row) => !found.includes(row));
		}

		if (operation === 'update') {
			const { value } = parameters['columns'] as { value: IDataObject };
			for (const row of found) {
				Object.assign(row, value, { updatedAt: new Date().toISOString() });
			}
		}

		if (parameters['orderByDirection'] === 'DESC') {
			found.reverse();
		}

		return found.slice(0, Number(parameters['limit'] ?? Infinity)).map((json) => ({ json }));
	}

	private create({ tableName, columns }: INode['parameters']): IDataObject {
		const name = tableName as string;
		if (this.tables.some((table) => table.name === name)) {
			throw new Error(`Data table with name '${name}' already exists in this project`);
		}

		const { column } = columns as { column: Table['columns'] };
		const id = randomUUID().replaceAll('-', '').slice(0, 16);
		this.tables.push({ id, name, columns: column, rows: [] });

		return { id, name };
	}

	private insert(table: Table, row: IDataObject): void {
		const unknown = Object.keys(row).find(
			(name) => !table.columns.some((column) => column.name === name),
		);
		if (unknown !== undefined) {
			throw new Error(`unknown column name '${unknown}'`);
		}

		const now = new Date().toISOString();
		table.rows.push({ ...row, id: this.nextRowId, createdAt: now, updatedAt: now });
		this.nextRowId += 1;
	}

	private tableOf({ dataTableId }: INode['parameters']): Table {
		const { value } = dataTableId as { value: string };
		const table = this.tables.find(({ id }) => id === value);
		if (table === undefined) {
			throw new Error(`Data table with ID '${value}' could not be found in this project`);
		}

		return table;
	}
}

/** n8n refuses a filter on a column that is not there. */
function assertColumns({ columns }: Table, { filters }: INode['parameters']): void {
	const { conditions } = filters as { conditions: Array<{ keyName: string }> };
	const known = [...columns.map(({ name }) => name), 'id', 'createdAt', 'updatedAt'];
	const unknown = conditions.find(({ keyName }) => !known.includes(keyName));
	if (unknown !== undefined) {
		throw new Error(
			`Filter validation failed: Column(s) "${unknown.keyName}" do not exist in the selected table.`,
		);
	}
}

/** Whether a row meets the conditions of a node. */
function matcherOf({ filters, matchType }: INode['parameters']): (row: IDataObject) => boolean {
	const { conditions } = filters as {
		conditions: Array<{ keyName: string; condition: string; keyValue: unknown }>;
	};

	const meets =
		(row: IDataObject) =>
		({ keyName, condition, keyValue }: (typeof conditions)[number]): boolean =>
			CONDITIONS[condition]?.(row[keyName], keyValue) === true;

	return (row) =>
		matchType === 'allConditions' ? conditions.every(meets(row)) : conditions.some(meets(row));
}
