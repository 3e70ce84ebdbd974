import { isRecord } from '../../shared/json';
import { chunk } from '../../shared/lists';
import { keyOf, type Payment, type State } from '../ledger';
import { notAnN8nError, UnansweredError, type N8nApi } from './n8nApi';

/** The columns of the table, those that people look at first. n8n adds `id`, `createdAt` and `updatedAt`. */
export const COLUMNS = {
	reference: 'string',
	state: 'string',
	payee: 'string',
	amount_cents: 'number',
	payable_id: 'string',
	funding_id: 'string',
	paid_at: 'string',
	pdf_url: 'string',
	execution: 'string',
	environment: 'string',
	workspace_id: 'string',
	key: 'string',
	attempt: 'string',
} as const;

type Texts = Record<Exclude<keyof typeof COLUMNS, 'amount_cents'>, string>;

/**
 * A value of each column: `amount_cents` in minor units, `paid_at` in ISO 8601, `key` as `keyOf` makes
 * it, `attempt` the token of the rows that were made together.
 */
export type RowValues = Texts & { state: State; amount_cents: number };

/** A row as n8n gives it out, in which people may have written anything; times are in ISO 8601. */
export interface Row extends Texts {
	id: number;
	amount_cents: number | null;
	createdAt: string;
	updatedAt: string;
}

/** One condition on a column. */
export type Condition = {
	columnName: keyof RowValues | 'id' | 'createdAt' | 'updatedAt';
	condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lt';
	value: string | number | null;
};

/** n8n gives out no more rows at once. */
const PAGE = 250;
/** Proxies refuse longer addresses. */
const MAX_FILTER_LENGTH = 6000;
const MAX_INSERT = 500;

/** The condition that a column holds a value. */
export const equals = (
	columnName: Condition['columnName'],
	value: Condition['value'],
	condition: Condition['condition'] = 'eq',
): Condition => ({ columnName, condition, value });

/** A day before a time (ISO 8601): n8n on SQLite compares times as texts in two forms, wrong within a day. */
export const dayBefore = (time: string): string =>
	new Date(Date.parse(time) - 86_400_000).toISOString();

/** The values of a payment's row. */
export const rowOf = (
	payment: Payment,
	more: Pick<RowValues, 'state' | 'attempt' | 'execution' | 'environment'>,
): RowValues => ({
	reference: payment.reference,
	payee: payment.payee,
	amount_cents: payment.amount,
	payable_id: payment.payableId ?? '',
	funding_id: '',
	paid_at: '',
	pdf_url: '',
	workspace_id: payment.workspaceId.toLowerCase(),
	key: keyOf(payment),
	...more,
});

/** The rows of one Data Table. Every method throws a LedgerError when n8n refuses it or does not answer. */
export class TableRows {
	private readonly path: string;

	constructor(
		private readonly api: N8nApi,
		tableId: string,
	) {
		this.path = `/data-tables/${encodeURIComponent(tableId)}/rows`;
	}

	/**
	 * Inserts rows with one token. What n8n did not answer is looked for, and not repeated: a row that
	 * appears later only blocks.
	 *
	 * @throws LedgerError when some of them are not there
	 */
	async insert(rows: RowValues[], attempt: string): Promise<void> {
		const insertAll = async (): Promise<void> => {
			for (const data of chunk(rows, MAX_INSERT)) {
				const body = { data, returnType: 'count' };
				await this.api.call({
					method: 'POST',
					path: this.path,
					body,
					scope: 'dataTableRow:create',
				});
			}
		};
		await insertAll().catch(async (error: unknown) => {
			if (!(error instanceof UnansweredError)) throw error;
			const found = await this.all(equals('attempt', attempt));
			const keys = new Set(found.map(({ key }) => key));
			if (!rows.every(({ key }) => keys.has(key))) throw error;
		});
	}

	/** The rows that meet all of some conditions, in the order in which they were made. */
	async all(...conditions: Condition[]): Promise<Row[]> {
		const rows: Row[] = [];
		for await (const row of this.each(conditions, 'asc')) rows.push(row);
		return rows;
	}

	/** The rows that meet all of some conditions, one by one, read as far as they are wanted. */
	async *each(conditions: Condition[], order: 'asc' | 'desc'): AsyncGenerator<Row> {
		for (let beyond: Condition[] = []; ;) {
			const page = await this.page('and', [...conditions, ...beyond], order);
			yield* page;
			const last = page.at(-1);
			if (last === undefined || page.length < PAGE) return;
			beyond = [equals('id', last.id, order === 'asc' ? 'gt' : 'lt')];
		}
	}

	/** The rows that meet any of some conditions, each once. */
	async any(conditions: Condition[]): Promise<Row[]> {
		const pages = await Promise.all(
			chunksOf(conditions).map(async (some) => await this.some(some)),
		);
		return [...new Map(pages.flat().map((row) => [row.id, row])).values()];
	}

	/** Changes the rows that meet all of some conditions, in one statement; returns them as they are then. */
	async update(conditions: Condition[], data: Partial<RowValues>): Promise<Row[]> {
		const body = { filter: { type: 'and', filters: conditions }, data, returnData: true };
		const path = `${this.path}/update`;
		return rowsOf(
			await this.api.call({ method: 'PATCH', path, body, scope: 'dataTableRow:update' }),
		);
	}

	/** Deletes the rows that meet all of some conditions. */
	async delete(...conditions: Condition[]): Promise<void> {
		const path = `${this.path}/delete?filter=${filterOf('and', conditions)}`;
		await this.api.call({ method: 'DELETE', path, scope: 'dataTableRow:delete' });
	}

	/** A page that is full may lack rows. */
	private async some(conditions: Condition[]): Promise<Row[]> {
		const page = await this.page('or', conditions);
		if (page.length < PAGE) return page;
		if (conditions.length === 1) return await this.all(...conditions);
		const middle = conditions.length >> 1;
		return [
			...(await this.some(conditions.slice(0, middle))),
			...(await this.some(conditions.slice(middle))),
		];
	}

	private async page(type: 'and' | 'or', filters: Condition[], order = 'asc'): Promise<Row[]> {
		const path = `${this.path}?filter=${filterOf(type, filters)}&sortBy=id%3A${order}&limit=${PAGE}`;
		const body = await this.api.call({ method: 'GET', path, scope: 'dataTableRow:read' });
		if (!isRecord(body) || !Array.isArray(body.data)) throw notAnN8nError();
		return rowsOf(body.data);
	}
}

const filterOf = (type: 'and' | 'or', filters: Condition[]): string =>
	encodeURIComponent(JSON.stringify({ type, filters }));

/** Parts of a list of conditions that make an address which is not too long. */
function chunksOf(conditions: Condition[]): Condition[][] {
	const chunks: Condition[][] = [];
	let length = Infinity;
	for (const condition of conditions) {
		const own = encodeURIComponent(JSON.stringify(condition)).length + 3;
		if (length + own > MAX_FILTER_LENGTH) {
			chunks.push([]);
			length = 0;
		}
		chunks.at(-1)?.push(condition);
		length += own;
	}
	return chunks;
}

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? value.map(toRow) : []);

function toRow(value: unknown): Row {
	const fields = isRecord(value) ? value : {};
	const text = (name: string): string => {
		const field = fields[name];
		return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
	};
	const amount = fields.amount_cents;
	const isAmount = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0;
	return {
		id: Number(fields.id),
		createdAt: text('createdAt'),
		updatedAt: text('updatedAt'),
		reference: text('reference'),
		state: text('state'),
		payee: text('payee'),
		amount_cents: isAmount ? amount : null,
		payable_id: text('payable_id'),
		funding_id: text('funding_id'),
		paid_at: text('paid_at'),
		pdf_url: text('pdf_url'),
		execution: text('execution'),
		environment: text('environment'),
		workspace_id: text('workspace_id'),
		key: text('key'),
		attempt: text('attempt'),
	};
}
