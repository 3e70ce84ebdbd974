import type { IDataObject } from 'n8n-workflow';

import { chunk } from '../../shared/lists';
import { keyOf, type Payment, type State } from '../ledger';
import { encodeFilter, type N8nApi } from './n8nApi';

/** The texts of a row: `paid_at` in ISO 8601, `key` as from `keyOf`, `attempt` the same for rows made together. */
const textsOf = (text: (column: string) => string) => ({
	reference: text('reference'),
	state: text('state'),
	payee: text('payee'),
	payable_id: text('payable_id'),
	funding_id: text('funding_id'),
	paid_at: text('paid_at'),
	pdf_url: text('pdf_url'),
	execution: text('execution'),
	environment: text('environment'),
	workspace_id: text('workspace_id'),
	key: text('key'),
	attempt: text('attempt'),
});
type Texts = ReturnType<typeof textsOf>;
const EMPTY = textsOf(() => '');

/** n8n adds `id`, `createdAt` and `updatedAt`. */
export const COLUMNS = Object.keys(EMPTY).map((name) => ({ name, type: 'string' }));
COLUMNS.splice(3, 0, { name: 'amount_cents', type: 'number' });

export type RowValues = Texts & { state: State; amount_cents: number };

/** A row as n8n returns it. People may have edited it. Times are in ISO 8601. */
export interface Row extends Texts {
	id: number;
	amount_cents: number | null;
	createdAt: string;
	updatedAt: string;
}

export type Condition = {
	columnName: keyof RowValues | 'id' | 'createdAt' | 'updatedAt';
	condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lt';
	value: string | number | null;
};

/** n8n compares each row with each condition. With more of them, reading all rows is faster. */
const MAX_CONDITIONS = 500;
const PAGE = 250;
/** Proxies refuse longer addresses. */
const MAX_FILTER_LENGTH = 6000;
const MAX_INSERT = 500;

export const equals = (
	columnName: Condition['columnName'],
	value: Condition['value'],
	condition: Condition['condition'] = 'eq',
): Condition => ({ columnName, condition, value });

/** A day before a time (ISO 8601): n8n on SQLite compares times as texts in two formats, wrong within a day. */
export const dayBefore = (time: string): string =>
	new Date(Date.parse(time) - 86_400_000).toISOString();

export const rowOf = (
	payment: Payment,
	more: Pick<RowValues, 'state' | 'attempt' | 'execution' | 'environment'>,
): RowValues => ({
	...EMPTY,
	reference: payment.reference,
	payee: payment.payee,
	amount_cents: payment.amount,
	payable_id: payment.payableId ?? '',
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

	/** Inserts rows once. The rows of an unanswered request may appear later. */
	async insert(rows: RowValues[]): Promise<void> {
		for (const data of chunk(rows, MAX_INSERT)) {
			const body = { data, returnType: 'count' };
			await this.api.call({ method: 'POST', path: this.path, body });
		}
	}

	async all(...conditions: Condition[]): Promise<Row[]> {
		const rows: Row[] = [];
		for await (const row of this.each(conditions, 'asc')) rows.push(row);
		return rows;
	}

	async *each(conditions: Condition[], order: 'asc' | 'desc'): AsyncGenerator<Row> {
		for (let beyond: Condition[] = []; ;) {
			const page = await this.page('and', [...conditions, ...beyond], order);
			yield* page;
			const last = page.at(-1);
			if (last === undefined || page.length < PAGE) return;
			beyond = [equals('id', last.id, order === 'asc' ? 'gt' : 'lt')];
		}
	}

	/** The rows that meet any condition (`eq`), each once. */
	async any(conditions: Condition[]): Promise<Row[]> {
		if (conditions.length === 0) return [];
		if (conditions.length > MAX_CONDITIONS) return await this.scan(conditions);
		if (conditions.length === 1) return await this.all(...conditions);
		const isShort = filterOf('or', conditions).length <= MAX_FILTER_LENGTH;
		const page = isShort ? await this.page('or', conditions) : undefined;
		if (page !== undefined && page.length < PAGE) return page;
		const halves = chunk(conditions, Math.ceil(conditions.length / 2));
		const rows = await Promise.all(halves.map(async (half) => await this.any(half)));
		return [...new Map(rows.flat().map((row) => [row.id, row])).values()];
	}

	private async scan(conditions: Condition[]): Promise<Row[]> {
		const wanted = new Set(conditions.map(({ columnName, value }) => `${columnName} ${value}`));
		const columns = [...new Set(conditions.map(({ columnName }) => columnName))];
		const rows = await this.all(equals('id', 0, 'gt'));
		return rows.filter((row) => columns.some((column) => wanted.has(`${column} ${row[column]}`)));
	}

	async update(conditions: Condition[], data: Partial<RowValues>): Promise<void> {
		const body = { filter: { type: 'and', filters: conditions }, data };
		await this.api.call({ method: 'PATCH', path: `${this.path}/update`, body });
	}

	async delete(...conditions: Condition[]): Promise<void> {
		const path = `${this.path}/delete?filter=${filterOf('and', conditions)}`;
		await this.api.call({ method: 'DELETE', path });
	}

	private async page(type: 'and' | 'or', filters: Condition[], order = 'asc'): Promise<Row[]> {
		const path = `${this.path}?filter=${filterOf(type, filters)}&sortBy=id%3A${order}&limit=${PAGE}`;
		return (await this.api.list(path)).map(toRow);
	}
}

const filterOf = (type: 'and' | 'or', filters: Condition[]): string =>
	encodeFilter({ type, filters });

function toRow(fields: IDataObject): Row {
	const text = (name: string): string => {
		const field = fields[name];
		return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
	};
	const amount = fields.amount_cents;
	const isAmount = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0;
	return {
		...textsOf(text),
		id: Number(fields.id),
		createdAt: text('createdAt'),
		updatedAt: text('updatedAt'),
		amount_cents: isAmount ? amount : null,
	};
}
