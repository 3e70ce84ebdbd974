import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { TableLocator } from '../../../nodes/PartnerPayments/ledger/dataTable/findTable';
import { emptyLedger } from '../../../nodes/PartnerPayments/ledger/dataTable/makeTable';
import type { openLedgerTable } from '../../../nodes/PartnerPayments/ledger/dataTable/openLedger';
import { isRecord } from '../../../nodes/PartnerPayments/shared/json';
import { N8nDatabase } from './n8nDatabase';

/** A Data Table, of one user. */
interface Table {
	id: string;
	name: string;
	owner: string;
	columns: Array<{ name: string; type: string }>;
}

/** What a request to the public API holds. */
interface Request {
	method?: string;
	url: string;
	headers?: Record<string, string>;
	body?: unknown;
}

/** An execution of a node that uses a ledger table. */
export interface TableExecution {
	table: TableLocator;
	/** Its user sees the tables that are theirs. */
	apiKey?: string;
	node?: string;
	/** Empty for one that was never saved. */
	workflow?: string;
}

export const byName = (value: string): TableLocator => ({ mode: 'name', value });

/** A process of an n8n, with what it has in memory. */
export class N8nProcess {
	private constructor(
		private readonly n8n: N8nTables,
		private readonly open: typeof openLedgerTable,
	) {}

	static async start(n8n: N8nTables): Promise<N8nProcess> {
		let open: typeof openLedgerTable | undefined;
		await jest.isolateModulesAsync(async () => {
			({ openLedgerTable: open } =
				await import('../../../nodes/PartnerPayments/ledger/dataTable/openLedger'));
		});
		if (open === undefined) throw new Error('The module was not loaded');
		return new N8nProcess(n8n, open);
	}

	/** Opens a ledger table; returns what it is rejected with, empty when it is opened. */
	async use({ table, ...execution }: TableExecution): Promise<{ message: string; hint: string }> {
		return await this.open(this.n8n.execution(execution), table).then(
			() => ({ message: '', hint: '' }),
			(error: unknown) => {
				if (error instanceof Error && 'hint' in error)
					return { message: error.message, hint: String(error.hint) };
				throw error;
			},
		);
	}
}

/** The Data Tables of an n8n, with its public API, and its store of keys. */
export class N8nTables {
	readonly database = new N8nDatabase();
	readonly tables: Table[] = [];
	/** The requests that it got, such as `POST /data-tables`. */
	readonly requests: string[] = [];
	private lastId = 0;

	/** A table as the first use of a ledger makes it, unless it is to have other columns. */
	add(name: string, owner = 'owner', columns: Table['columns'] = emptyLedger(name).columns): Table {
		const table = { id: `table-${(this.lastId += 1)}`, name, owner, columns };
		this.tables.push(table);
		return table;
	}

	delete({ id }: Table): void {
		this.tables.splice(
			this.tables.findIndex((table) => table.id === id),
			1,
		);
	}

	/** The only table; fails when there is another number of them. */
	only(): Table {
		const [table, ...others] = this.tables;
		if (table === undefined || others.length > 0) throw new Error('There is not one table');
		return table;
	}

	/** Adds a key to those of the node; says whether it was new. */
	async addKey(key: string): Promise<boolean> {
		const { helpers } = this.execution({});
		const { new: added } = await helpers.checkProcessedAndRecord([key], 'node', {
			mode: 'entries',
		});
		return added.length > 0;
	}

	/** What an execution has of n8n. */
	execution({
		apiKey = 'owner',
		node = 'node-1',
		workflow = 'workflow-1',
	}: Omit<TableExecution, 'table'>): IExecuteFunctions {
		const host = this.database.host({ process: 'main', workflow, node });
		const n8n = {
			...host,
			getCredentials: async () => await Promise.resolve({ baseUrl: 'http://n8n.example', apiKey }),
			helpers: {
				...host.helpers,
				httpRequest: async (request: Request) => await Promise.resolve(this.answer(request)),
			},
		};
		return n8n as unknown as IExecuteFunctions;
	}

	private answer({ method = 'GET', url, headers = {}, body }: Request): IDataObject {
		const { pathname, searchParams } = new URL(url);
		this.requests.push(`${method} ${pathname.replace('/api/v1', '')}`);
		const user = headers['X-N8N-API-KEY'] ?? '';
		if (method === 'POST') return this.create(user, body);
		const filter: unknown = JSON.parse(searchParams.get('filter') ?? '{}');
		const { id, name } = isRecord(filter) ? filter : {};
		const data = this.tables.filter(
			(table) =>
				table.owner === user &&
				(id === undefined || table.id === id) &&
				(typeof name !== 'string' || table.name.toLowerCase().includes(name.toLowerCase())),
		);
		return answerOf(200, { data, nextCursor: null });
	}

	private create(user: string, body: unknown): IDataObject {
		const name = isRecord(body) && typeof body.name === 'string' ? body.name : '';
		if (this.tables.some((table) => table.name === name && table.owner === user))
			return answerOf(409, { message: 'There is one of that name' });
		return answerOf(201, { ...this.add(name, user) });
	}
}

const answerOf = (statusCode: number, body: unknown): IDataObject => ({
	statusCode,
	headers: {},
	body: JSON.stringify(body),
});
