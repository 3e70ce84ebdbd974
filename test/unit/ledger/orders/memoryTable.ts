import type {
	Condition,
	Row,
	RowValues,
} from '../../../../nodes/PartnerPayments/ledger/table/rows';
import type {
	DurableResult,
	ListedAndRun,
	Step,
	TableInfo,
	TableStore,
} from '../../../../nodes/PartnerPayments/ledger/table/tableStore';
import type { Modules } from './protocolModules';
import type { Actor, Request, World } from './world';

export const TABLE_ID = 'ledger';

/** What a person has changed: the row as it was, and the state that it got. */
export interface Resolution {
	by: Actor;
	step: number;
	row: Row;
	state: string;
}

/** The rows of the ledger. */
export class MemoryTable {
	rows: Row[] = [];
	readonly resolutions: Resolution[] = [];
	/** Called after each change. */
	onChange: () => void = () => undefined;
	private nextId = 1;

	constructor(private readonly now: () => number) {}

	/** Does one step; returns what it finds. */
	do(step: Step): Row[] {
		switch (step.kind) {
			case 'insert':
				for (const values of step.rows) {
					this.insert(values);
				}
				this.onChange();
				return [];
			case 'update':
				for (const row of this.rows) {
					if (meetsAll(row, step.all)) {
						Object.assign(row, step.values, { updatedAt: this.time() });
					}
				}
				this.onChange();
				return [];
			case 'updateByIds':
				for (const row of this.rows) {
					if (step.ids.includes(row.id)) {
						Object.assign(row, step.values, { updatedAt: this.time() });
					}
				}
				this.onChange();
				return [];
			case 'delete':
				this.rows = this.rows.filter((row) => !meetsAll(row, step.all));
				this.onChange();
				return [];
			case 'find': {
				const { match, conditions } = step;
				const found = this.rows.filter((row) =>
					match === 'all' ? meetsAll(row, conditions) : conditions.some((one) => meets(row, one)),
				);
				const rows = found.map((row) => ({ ...row }));
				return step.order === 'ascending' ? rows : rows.reverse();
			}
		}
	}

	/** All that what can happen next depends on. */
	describe(): string {
		return `${this.nextId} ${JSON.stringify(this.rows)}`;
	}

	insert(values: RowValues): void {
		const time = this.time();
		this.rows.push({ ...values, id: this.nextId, createdAt: time, updatedAt: time });
		this.nextId += 1;
	}

	private time(): string {
		return new Date(this.now()).toISOString();
	}
}

const meetsAll = (row: Row, conditions: Condition[]): boolean =>
	conditions.every((condition) => meets(row, condition));

function meets(row: Row, { columnName, condition, value }: Condition): boolean {
	const found = row[columnName];
	switch (condition) {
		case 'eq':
			return found === value;
		case 'neq':
			return found !== value;
		case 'gt':
			return compare(found, value) > 0;
		case 'gte':
			return compare(found, value) >= 0;
		case 'lt':
			return compare(found, value) < 0;
		case 'lte':
			return compare(found, value) <= 0;
	}
}

function compare(one: string | number | null, other: string | number): number {
	if (typeof one === 'number' && typeof other === 'number') {
		return one - other;
	}
	return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}

/** What other executions can come between: whole sub-executions, or each statement of them. */
export type Granularity = 'execution' | 'statement';

/** The table as one execution reaches it. */
export class MemoryStore implements TableStore {
	readonly place = 'this project';
	readonly limits = {
		page: 200,
		insert: 100,
		conditions: 100,
		steps: 50,
		isOrdered: () => true,
		fitsOneFind: () => true,
	};

	constructor(
		private readonly world: World,
		private readonly actor: Actor,
		private readonly table: MemoryTable,
		private readonly modules: Modules,
		private readonly granularity: Granularity,
	) {}

	async list(): Promise<TableInfo[]> {
		return await Promise.resolve([{ id: TABLE_ID, name: 'Payout Ledger', columns: [] }]);
	}

	async check(): Promise<void> {
		await Promise.resolve();
	}

	async create(): Promise<void> {
		await Promise.reject(new Error('The table is there'));
	}

	async run(_tableId: string, steps: Step[]): Promise<Row[]> {
		if (this.granularity === 'execution') {
			return await this.request(steps);
		}
		let found: Row[] = [];
		for (const step of steps) {
			found = await this.request([step]);
		}
		return found;
	}

	async listAndRun(tableId: string, steps: Step[]): Promise<ListedAndRun> {
		const tables = await this.list();
		const result = await this.run(tableId, steps).catch((error: unknown) => {
			if (error instanceof this.modules.ledger.LedgerError) {
				return error;
			}
			throw error;
		});
		return { tables, result };
	}

	async runDurably(tableId: string, steps: Step[]): Promise<DurableResult> {
		return { kind: 'done', rows: await this.run(tableId, steps) };
	}

	private async request(steps: Step[]): Promise<Row[]> {
		const fail = (): never => {
			throw new this.modules.ledger.LedgerError('The table does not answer', 'Run it again.');
		};
		const isRead = steps.every(({ kind }) => kind === 'find');
		const faults: Request<Row[]>['faults'] = isRead
			? { failed: fail }
			: { lost: fail, failed: fail, late: fail };
		const effect = (): Row[] => {
			let found: Row[] = [];
			for (const step of steps) {
				this.noteResolution(step);
				found = this.table.do(step);
			}
			return found;
		};
		const describe = (): string => steps.map(describeStep).join(', then ');
		return await this.world.request(this.actor, {
			to: 'ledger',
			describe,
			effect,
			faults,
			canDie: !isRead,
		});
	}

	/** A person changes one row by its ID, to a state that no execution writes. */
	private noteResolution(step: Step): void {
		if (step.kind !== 'update' || !['void', 'not_paid', 'paid'].includes(step.values.state ?? '')) {
			return;
		}
		const isById = step.all.some(({ columnName }) => columnName === 'id');
		const { rows, resolutions } = this.table;
		const row = rows.find((one) => meetsAll(one, step.all));
		if (isById && row !== undefined) {
			const state = step.values.state ?? '';
			resolutions.push({ by: this.actor, step: this.world.step, row: { ...row }, state });
		}
	}
}

/** A step in a few words. */
function describeStep(step: Step): string {
	switch (step.kind) {
		case 'insert':
			return `insert ${step.rows.map((row) => `${row.state} ${row.reference} ${row.payable_id} (${row.claim})`).join(' + ')}`;
		case 'update':
			return `update ${conditionsText(step.all)} to ${JSON.stringify(step.values)}`;
		case 'updateByIds':
			return `update ${step.ids.join(' ')} to ${JSON.stringify(step.values)}`;
		case 'delete':
			return `delete ${conditionsText(step.all)}`;
		case 'find':
			return 'read';
	}
}

const conditionsText = (conditions: Condition[]): string =>
	conditions
		.filter(({ columnName }) => columnName === 'claim' || columnName === 'state')
		.map(({ condition, value }) => `${condition === 'neq' ? 'not ' : ''}${value}`)
		.join(' ');
