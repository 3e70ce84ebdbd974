import { randomUUID } from 'crypto';

import { isRecord } from '../../shared/json';
import type { ApiRequest } from './apiRequest';
import { MissingTableError } from './apiErrors';
import type { ApiResult, N8nApi } from './n8nApi';
import { toTableRow, type RowValues, type TableRow } from './row';

/** One condition on a column. */
export interface Condition {
	columnName: keyof RowValues | 'id' | 'updatedAt';
	condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lt';
	value: string | number | null;
}

/** Several conditions; n8n knows no others than all of them or any of them. */
export interface Filter {
	type: 'and' | 'or';
	filters: Condition[];
}

/** n8n gives out no more rows at once. */
const MAX_PAGE = 250;
/** SQLite refuses filters of a thousand conditions. */
const MAX_CONDITIONS = 200;
/** Proxies refuse longer addresses. */
const MAX_FILTER_LENGTH = 6000;
const MAX_INSERT = 500;

/** The condition that a column holds a value. */
export const equals = (
	columnName: Condition['columnName'],
	value: Condition['value'],
): Condition => ({ columnName, condition: 'eq', value });

/** The filter for rows that meet all of some conditions. */
export const allOf = (...filters: Condition[]): Filter => ({ type: 'and', filters });

const anyOf = (columnName: Condition['columnName'], values: Array<string | number>): Filter => ({
	type: 'or',
	filters: values.map((value) => equals(columnName, value)),
});

/**
 * The rows of one Data Table. Every method throws a LedgerError when n8n refuses it, or does not
 * answer.
 */
export class TableRows {
	private readonly path: string;

	constructor(
		private readonly api: N8nApi,
		/** The table's id. */
		readonly tableId: string,
		private readonly onMissing: () => void = () => undefined,
	) {
		this.path = `/data-tables/${encodeURIComponent(tableId)}/rows`;
	}

	/**
	 * Inserts rows, each once. An insert that n8n did not answer is looked for before it is repeated.
	 *
	 * @param batch token that all these rows carry, and no others
	 */
	async insert(rows: RowValues[], batch: string): Promise<void> {
		for (let start = 0; start < rows.length; start += MAX_INSERT) {
			const chunk = rows.slice(start, start + MAX_INSERT);
			await this.call(this.insertRequest(chunk), async () => {
				const found = await this.readAll(equals('batch', batch));
				const known = new Set(found.map(identity));
				const missing = chunk.filter((row) => !known.has(identity(row)));
				return missing.length > 0 ? this.insertRequest(missing) : undefined;
			});
		}
	}

	/** The rows that have one of several values in a column, of one moment for each value. */
	async readAny(columnName: Condition['columnName'], values: Array<string | number>) {
		const rows: TableRow[] = [];
		for (const chunk of chunksOf(values)) rows.push(...(await this.readChunk(columnName, chunk)));
		return rows;
	}

	/** One page of rows. */
	async readPage(filter: Filter, sortBy = 'id:asc', limit = MAX_PAGE): Promise<TableRow[]> {
		const query = `filter=${encoded(filter)}&sortBy=${encodeURIComponent(sortBy)}&limit=${limit}`;
		const { body } = await this.call({
			method: 'GET',
			path: `${this.path}?${query}`,
			scope: 'dataTableRow:read',
		});
		return rowsOf(isRecord(body) ? body.data : undefined);
	}

	/** All rows that meet conditions, in the order in which they were made. */
	async readAll(...conditions: Condition[]): Promise<TableRow[]> {
		const rows: TableRow[] = [];
		for (;;) {
			const after: Condition = {
				columnName: 'id',
				condition: 'gt',
				value: rows.at(-1)?.id ?? 0,
			};
			const page = await this.readPage(allOf(...conditions, after));
			rows.push(...page);
			if (page.length < MAX_PAGE) return rows;
		}
	}

	/**
	 * Changes the rows that meet conditions, in one statement.
	 *
	 * @returns the rows as they stand now; undefined when an unanswered attempt may have changed them
	 */
	private async update(filter: Filter, data: Partial<RowValues>): Promise<TableRow[] | undefined> {
		const { body, isRepeated } = await this.call(this.updateRequest(filter, data, true));
		return isRepeated ? undefined : rowsOf(body);
	}

	/**
	 * Compare-and-set: changes those of some rows that meet conditions.
	 *
	 * @param conditions must tell whose rows they are, since n8n may use an id again
	 * @param batch token that these rows carry already, and no others
	 * @returns the rows as they stand now; some that did not meet the conditions may be among them
	 */
	async updateThese(
		ids: number[],
		conditions: Condition[],
		data: Partial<RowValues>,
		batch?: string,
	): Promise<TableRow[]> {
		if (ids.length === 0) return [];
		const filter = await this.filterFor(ids, conditions, batch);
		return (await this.update(filter, data)) ?? (await this.readAny('id', ids));
	}

	/** Deletes those of some rows that meet conditions. */
	async deleteThese(ids: number[], conditions: Condition[]): Promise<void> {
		if (ids.length === 0) return;
		const filter = await this.filterFor(ids, conditions);
		await this.call({
			method: 'DELETE',
			path: `${this.path}/delete?filter=${encoded(filter)}`,
			scope: 'dataTableRow:delete',
		});
	}

	/** Marks rows, so that a later request finds them together. */
	private async tag(ids: number[]): Promise<string> {
		const batch = randomUUID();
		for (let start = 0; start < ids.length; start += MAX_CONDITIONS) {
			const filter = anyOf('id', ids.slice(start, start + MAX_CONDITIONS));
			await this.call(this.updateRequest(filter, { batch }, false));
		}
		return batch;
	}

	private async call(
		request: ApiRequest,
		beforeRepeat?: () => Promise<ApiRequest | undefined>,
	): Promise<ApiResult> {
		return await this.api.call(request, beforeRepeat).catch((error: unknown) => {
			if (error instanceof MissingTableError) this.onMissing();
			throw error;
		});
	}

	private async filterFor(ids: number[], conditions: Condition[], batch?: string): Promise<Filter> {
		const [id] = ids;
		if (batch === undefined && ids.length === 1 && id !== undefined) {
			return allOf(equals('id', id), ...conditions);
		}
		return allOf(equals('batch', batch ?? (await this.tag(ids))), ...conditions);
	}

	/** A page that is full may lack rows, and pages of several moments may lack some that moved. */
	private async readChunk(
		columnName: Condition['columnName'],
		values: Array<string | number>,
	): Promise<TableRow[]> {
		const page = await this.readPage(anyOf(columnName, values));
		if (page.length < MAX_PAGE) return page;
		const [value] = values;
		if (values.length === 1 && value !== undefined) {
			return await this.readAll(equals(columnName, value));
		}
		const middle = values.length >> 1;
		return [
			...(await this.readChunk(columnName, values.slice(0, middle))),
			...(await this.readChunk(columnName, values.slice(middle))),
		];
	}

	private insertRequest(rows: RowValues[]): ApiRequest {
		const data = rows.map((row) => ({ ...row }));
		const body = { data, returnType: 'count' };
		return { method: 'POST', path: this.path, body, scope: 'dataTableRow:create' };
	}

	private updateRequest(
		{ type, filters }: Filter,
		data: Partial<RowValues>,
		returnData: boolean,
	): ApiRequest {
		const filter = { type, filters: filters.map((condition) => ({ ...condition })) };
		const body = { filter, data: { ...data }, returnData };
		return { method: 'PATCH', path: `${this.path}/update`, body, scope: 'dataTableRow:update' };
	}
}

const encoded = (filter: Filter): string => encodeURIComponent(JSON.stringify(filter));

const rowsOf = (value: unknown): TableRow[] => (Array.isArray(value) ? value.map(toTableRow) : []);

/** What tells the rows of one insert apart. */
const identity = ({ reference, workspace_id }: RowValues | TableRow): string =>
	JSON.stringify([reference, workspace_id]);

/** Parts of a list whose conditions make an address that is not too long. */
function* chunksOf<Value extends string | number>(values: Value[]): Generator<Value[]> {
	let chunk: Value[] = [];
	let length = 0;
	for (const value of values) {
		const own = encodeURIComponent(JSON.stringify(equals('reference', value))).length;
		if (chunk.length === MAX_CONDITIONS || length + own > MAX_FILTER_LENGTH) {
			yield chunk;
			[chunk, length] = [[], 0];
		}
		chunk.push(value);
		length += own;
	}
	if (chunk.length > 0) yield chunk;
}
