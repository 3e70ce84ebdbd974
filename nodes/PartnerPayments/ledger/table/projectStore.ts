import type {
	ExecuteWorkflowData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { LedgerError } from '../ledger';
import { COLUMNS, equals, toRow, type Condition, type Row } from './rows';
import {
	creationWorkflow,
	PAGE,
	stepsWorkflow,
	tablesAndStepsWorkflow,
	tablesWorkflow,
} from './subWorkflow';
import {
	MissingTableError,
	tableInfoOf,
	type DurableResult,
	type ListedAndRun,
	type Step,
	type TableInfo,
	type TableStore,
} from './tableStore';

/** SQLite compares no more at once: its limit is 1,000. */
const MAX_CONDITIONS = 800;
const MAX_INSERT = 500;
const MAX_STEPS = 50;

/** How often a read is repeated that failed because somebody wrote at the same time. */
const MAX_READS = 5;
const MAX_PAUSE_MS = 100;

export type ProjectHost = Pick<IExecuteFunctions, 'executeWorkflow' | 'getWorkflow'>;

/**
 * Whether the Data Table node of this n8n cannot list tables, as before n8n 2.3: it needs the ID of a table, and
 * does not sort. Known when `list` was called.
 */
let lacksTableOperations = false;

/** The tables with the columns of a ledger, as far as this process has asked. */
const checkedTables = new Set<string>();
/** A text that no row has in any column. */
const NOWHERE = 'nowhere';

/** The Data Tables of the project that the workflow belongs to, reached by sub-executions. */
export class ProjectStore implements TableStore {
	readonly place = 'this project';

	readonly limits = {
		page: PAGE,
		insert: MAX_INSERT,
		// Up to four queries are worth it. With more conditions, reading all rows is faster.
		conditions: MAX_CONDITIONS * 4,
		steps: MAX_STEPS,
		isOrdered: (): boolean => !lacksTableOperations,
		fitsOneFind: (_match: 'all' | 'any', conditions: unknown[]): boolean =>
			conditions.length <= MAX_CONDITIONS,
	};

	constructor(private readonly n8n: ProjectHost) {}

	async list(): Promise<TableInfo[] | undefined> {
		if (lacksTableOperations) {
			return undefined;
		}
		try {
			return tablesIn(await this.execute(tablesWorkflow()));
		} catch (error) {
			if (!isTableListMissing(error)) {
				throw ledgerErrorFor(error);
			}
			lacksTableOperations = true;
			return undefined;
		}
	}

	async check(tableId: string): Promise<void> {
		if (checkedTables.has(tableId)) {
			return;
		}
		// n8n refuses a filter on a column that is not there.
		const conditions = COLUMNS.map(({ name, type }): Condition =>
			equals(name, type === 'number' ? -1 : NOWHERE),
		);
		await this.run(tableId, [{ kind: 'find', match: 'all', conditions, order: 'ascending' }]);
		checkedTables.add(tableId);
	}

	async create(name: string): Promise<void> {
		try {
			await this.execute(creationWorkflow(name));
		} catch (error) {
			const tables = await this.list();
			// Another execution has made it at the same time.
			if (tables?.some((table) => table.name === name) !== true) {
				throw ledgerErrorFor(error);
			}
		}
	}

	async run(tableId: string, steps: Step[]): Promise<Row[]> {
		const workflow = stepsWorkflow(tableId, steps);
		const isRead = steps.every(({ kind }) => kind === 'find');
		for (let reads = 1; ; reads += 1) {
			try {
				return rowsIn(await this.execute(workflow, inputOf(steps)), steps);
			} catch (error) {
				if (!isRead || !isReadDuringWrite(error) || reads === MAX_READS) {
					throw ledgerErrorFor(error);
				}
			}
			await sleep(Math.random() * MAX_PAUSE_MS);
		}
	}

	async listAndRun(tableId: string, steps: Step[]): Promise<ListedAndRun> {
		if (lacksTableOperations) {
			return { tables: undefined, result: await this.tryToRun(tableId, steps) };
		}
		let items: INodeExecutionData[];
		try {
			items = await this.execute(tablesAndStepsWorkflow(tableId, steps), inputOf(steps));
		} catch {
			// Which of the two has failed shows when each runs alone.
			const result = await this.tryToRun(tableId, steps);
			return { tables: await this.list(), result };
		}
		return { tables: tablesIn(items), result: rowsIn(items, steps) };
	}

	async runDurably(tableId: string, steps: Step[]): Promise<DurableResult> {
		const workflow = stepsWorkflow(tableId, steps);
		try {
			const rows = rowsIn(await this.execute(workflow, inputOf(steps)), steps);
			return { kind: 'done', rows };
		} catch (error) {
			if (!isExecutionTimedOut(error)) {
				throw ledgerErrorFor(error);
			}
			await this.runDetached(workflow, steps);
			return { kind: 'handedOver' };
		}
	}

	/** After a time-out, n8n still runs what no one waits for. */
	private async runDetached(workflow: IWorkflowBase, steps: Step[]): Promise<void> {
		try {
			await this.n8n.executeWorkflow({ code: workflow }, inputOf(steps), undefined, {
				doNotWaitToFinish: true,
			});
		} catch (error) {
			throw ledgerErrorFor(error);
		}
	}

	private async tryToRun(tableId: string, steps: Step[]): Promise<Row[] | LedgerError> {
		try {
			return await this.run(tableId, steps);
		} catch (error) {
			return ledgerErrorFor(error);
		}
	}

	/** Returns the items of the last node. */
	private async execute(
		workflow: IWorkflowBase,
		items: INodeExecutionData[] = [{ json: {} }],
	): Promise<INodeExecutionData[]> {
		if (!this.n8n.getWorkflow().id) {
			throw new LedgerError(
				'There is no saved workflow here, so there is no ledger',
				'Save the workflow. Where there is none, as in an agent of n8n itself, use this node in a workflow that the agent calls.',
			);
		}
		const result: ExecuteWorkflowData = await this.n8n.executeWorkflow({ code: workflow }, items);
		const [output] = result.data;
		// Also a node that has found nothing returns an item.
		if (!output || output.length === 0) {
			throw new Error('n8n returned nothing from the sub-workflow of the ledger');
		}
		return output;
	}
}

function inputOf(steps: Step[]): INodeExecutionData[] {
	const [first] = steps;
	if (first?.kind !== 'insert') {
		return [{ json: {} }];
	}
	return first.rows.map((row) => ({ json: { ...row } }));
}

/** Nodes that found nothing return an empty item. */
function rowsIn(items: INodeExecutionData[], steps: Step[]): Row[] {
	if (steps.at(-1)?.kind !== 'find') {
		return [];
	}
	return items.flatMap(({ json }) => ('createdAt' in json && !isTable(json) ? toRow(json) : []));
}

const tablesIn = (items: INodeExecutionData[]): TableInfo[] =>
	items.flatMap(({ json }) => (isTable(json) ? tableInfoOf(json) : []));

const isTable = ({ columns, name }: IDataObject): boolean =>
	Array.isArray(columns) && typeof name === 'string';

const textOfError = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** n8n before 2.3 has no operations for tables: it looks for the table of rows, which is not named then. */
const isTableListMissing = (error: unknown): boolean =>
	textOfError(error).includes('Could not get parameter');

const isReadDuringWrite = (error: unknown): boolean =>
	textOfError(error).includes('synchronization error');

/** As n8n itself says it of an execution. A database that is slow says it in other words. */
const isExecutionTimedOut = (error: unknown): boolean =>
	textOfError(error).includes('because it timed out');

/** Says what to do about an error of n8n's Data Tables. */
function ledgerErrorFor(error: unknown): LedgerError {
	if (error instanceof LedgerError) {
		return error;
	}
	const text = textOfError(error);
	if (text.includes('module is disabled')) {
		return new LedgerError(
			'The Data Tables of this n8n are switched off, so there is no ledger',
			'Remove "data-table" from N8N_DISABLED_MODULES, then restart n8n.',
		);
	}
	if (/unrecognized node type|unknown node type|node type .* not/i.test(text)) {
		return new LedgerError(
			'The Data Table node of this n8n is switched off, and the ledger needs it',
			'Allow n8n-nodes-base.dataTable, executeWorkflowTrigger and merge in NODES_EXCLUDE or NODES_INCLUDE, then restart n8n.',
		);
	}
	if (/size limit|storage/i.test(text)) {
		return new LedgerError(
			'The Data Tables of this n8n are full, so the ledger cannot be written',
			'Make room in other Data Tables, or raise N8N_DATA_TABLES_MAX_SIZE_BYTES. Never delete rows of the ledger.',
		);
	}
	if (/read-only|protected instance/i.test(text)) {
		return new LedgerError(
			'This n8n is protected, so its Data Tables cannot be written',
			'Let the person who runs n8n end the protection under "Environments". Do not pay from another n8n: its ledger does not know these payments.',
		);
	}
	const [, columns] = /Column\(s\) "([^"]*)" do not exist/.exec(text) ?? [];
	if (columns !== undefined) {
		return new LedgerError(
			`The Data Table of the ledger lacks columns: ${columns}`,
			'If it is the ledger, restore the table from a backup: an empty column hides what was paid, and it is paid again. If not, turn on "Ledger Elsewhere" in the credential, and correct "Ledger Table".',
		);
	}
	if (/could not be found|not found/i.test(text)) {
		return new MissingTableError(
			'This project has no Data Table with the ID of the ledger',
			'Check "Ledger Table" under "Ledger Elsewhere" in the credential. If the table was deleted, restore it before you pay: without it, what was paid is unknown.',
		);
	}
	if (isExecutionTimedOut(error)) {
		return new LedgerError(
			'n8n ended this execution, so the ledger could not be reached',
			'Raise the timeout of the workflow. Then run it again with the same unique references.',
		);
	}
	return new LedgerError(
		`The ledger cannot be used: ${text}`,
		'Run it again with the same unique references. If it fails again, check the columns of the ledger table. Never delete its rows.',
	);
}
