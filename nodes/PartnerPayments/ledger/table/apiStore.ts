import { LedgerError } from '../ledger';
import { encodeFilter, type N8nApi } from './n8nApi';
import { COLUMNS, haveIds, toRow, type Condition, type Row } from './rows';
import {
	tableInfoOf,
	type DurableResult,
	type ListedAndRun,
	type Step,
	type TableInfo,
	type TableStore,
} from './tableStore';

/** n8n's public API returns no more. */
const PAGE = 250;
/** n8n compares each row with each condition. With more of them, reading all rows is faster. */
const MAX_CONDITIONS = 500;
/** nginx and Apache refuse addresses of more than 8 KB. With this, 50 payouts are looked up in one request. */
const MAX_FILTER_LENGTH = 7500;
const MAX_INSERT = 500;
/** Each step is a request of its own. */
const MAX_STEPS = 50;

/** The Data Tables that the user of an API key sees, in this n8n or in another one. */
export class ApiStore implements TableStore {
	readonly place = 'the projects of the n8n API key';

	readonly limits = {
		page: PAGE,
		insert: MAX_INSERT,
		conditions: MAX_CONDITIONS,
		steps: MAX_STEPS,
		isOrdered: (): boolean => true,
		fitsOneFind: (match: 'all' | 'any', conditions: Condition[]): boolean =>
			filterOf(match, conditions).length <= MAX_FILTER_LENGTH,
	};

	constructor(private readonly api: N8nApi) {}

	async list(): Promise<TableInfo[]> {
		// n8n lists tables in pages, so their order must not change when rows are written.
		const tables = await this.api.listAll(`/data-tables?limit=${PAGE}&sortBy=name%3Aasc`);
		return tables.map(tableInfoOf);
	}

	/** The list tells the columns. */
	async check(): Promise<void> {
		await Promise.resolve();
	}

	async create(name: string): Promise<void> {
		const request = {
			method: 'POST',
			path: '/data-tables',
			body: { name, columns: COLUMNS.map((column) => ({ ...column })) },
		} as const;
		await this.api.call(request).catch(async (error: unknown) => {
			const tables = await this.list();
			// Another execution has made it at the same time.
			if (!tables.some((table) => table.name === name)) {
				throw error;
			}
		});
	}

	async run(tableId: string, steps: Step[]): Promise<Row[]> {
		let found: Row[] = [];
		for (const step of steps) {
			found = await this.step(`/data-tables/${encodeURIComponent(tableId)}/rows`, step);
		}
		return found;
	}

	async listAndRun(tableId: string, steps: Step[]): Promise<ListedAndRun> {
		const running = this.run(tableId, steps).catch((error: unknown) =>
			error instanceof LedgerError
				? error
				: new LedgerError('The ledger could not be read', String(error)),
		);
		const [tables, result] = await Promise.all([this.list(), running]);
		return { tables, result };
	}

	async runDurably(tableId: string, steps: Step[]): Promise<DurableResult> {
		return { kind: 'done', rows: await this.run(tableId, steps) };
	}

	private async step(path: string, step: Step): Promise<Row[]> {
		switch (step.kind) {
			case 'insert': {
				const body = { data: step.rows.map((row) => ({ ...row })), returnType: 'count' };
				await this.api.call({ method: 'POST', path, body });
				return [];
			}
			case 'update': {
				const body = { filter: apiFilter('all', step.all), data: { ...step.values } };
				await this.api.call({ method: 'PATCH', path: `${path}/update`, body });
				return [];
			}
			case 'updateByIds': {
				const body = { filter: apiFilter('any', haveIds(step.ids)), data: { ...step.values } };
				await this.api.call({ method: 'PATCH', path: `${path}/update`, body });
				return [];
			}
			case 'delete': {
				const filter = filterOf('all', step.all);
				await this.api.call({ method: 'DELETE', path: `${path}/delete?filter=${filter}` });
				return [];
			}
			case 'find': {
				const filter = filterOf(step.match, step.conditions);
				const order = step.order === 'ascending' ? 'asc' : 'desc';
				const query = `filter=${filter}&sortBy=id%3A${order}&limit=${PAGE}`;
				return (await this.api.list(`${path}?${query}`)).map(toRow);
			}
		}
	}
}

const apiFilter = (match: 'all' | 'any', conditions: Condition[]) => ({
	type: match === 'all' ? 'and' : 'or',
	filters: conditions.map((condition) => ({ ...condition })),
});

const filterOf = (match: 'all' | 'any', conditions: Condition[]): string =>
	encodeFilter(apiFilter(match, conditions));
