import { chunk } from '../../shared/lists';
import { LedgerError } from '../ledger';
import { where, type Condition, type Row, type RowValues } from './rows';
import type { DurableResult, Step, TableInfo, TableStore } from './tableStore';

/**
 * Finds the table that is the ledger; returns its ID. `tables` is undefined where n8n cannot list them.
 *
 * @throws LedgerError when none may be used
 */
export type FindTableId = (tables: TableInfo[] | undefined) => Promise<string>;

/** The rows of the ledger's table. Every method throws a LedgerError as `TableStore` does. */
export class LedgerTable {
	private tableId: string | undefined;

	/**
	 * @param findTableId is called once, and nothing that was read is used before it has returned
	 * @param expectedId the table that it will probably return; saves a request
	 */
	constructor(
		private readonly store: TableStore,
		private readonly findTableId: FindTableId,
		private readonly expectedId?: string,
	) {}

	/** The ID of the table, which is found if it is not known yet. */
	async id(): Promise<string> {
		if (this.tableId === undefined) {
			const tables = await this.store.list();
			this.tableId = await this.findTableId(tables);
		}
		return this.tableId;
	}

	/** Finds the table, unless this process has found it before. In that case, the first read checks that it is still there. */
	async locate(): Promise<void> {
		if (this.expectedId === undefined) {
			await this.id();
		}
	}

	/** Inserts rows once. The rows of an unanswered request may appear later. */
	async insert(rows: RowValues[]): Promise<void> {
		for (const some of chunk(rows, this.store.limits.insert)) {
			await this.run([{ kind: 'insert', rows: some }]);
		}
	}

	/** Does steps, an insert only as the first one, then reads the rows that meet any condition: at once where the store can. */
	async changeAndFind(steps: Step[], conditions: Condition[]): Promise<Row[]> {
		const { limits } = this.store;
		const isTooLarge = steps.some(
			(step) => step.kind === 'insert' && step.rows.length > limits.insert,
		);
		const isTooLong = steps.length >= limits.steps;
		if (isTooLarge || isTooLong || !limits.fitsOneFind('any', conditions)) {
			for (const step of steps) {
				if (step.kind === 'insert') {
					await this.insert(step.rows);
				}
			}
			await this.change(steps.filter(({ kind }) => kind !== 'insert'));
			return await this.any(conditions);
		}
		const found = await this.run([...steps, findStep('any', conditions)]);
		return found.length < limits.page ? found : await this.any(conditions);
	}

	/**
	 * Inserts rows, then reads the rows that meet all of a few conditions, which a database does fast. Where a
	 * page or more meet them, reads the rows that meet any of other conditions instead.
	 */
	async insertAndFind(
		rows: RowValues[],
		allOf: Condition[],
		otherwiseAnyOf: Condition[],
	): Promise<Row[]> {
		const { limits } = this.store;
		const chunks = chunk(rows, limits.insert);
		const last = chunks.pop();
		for (const some of chunks) {
			await this.run([{ kind: 'insert', rows: some }]);
		}

		const steps: Step[] = last === undefined ? [] : [{ kind: 'insert', rows: last }];
		steps.push(findStep('all', allOf));
		const found = await this.run(steps);
		return found.length < limits.page ? found : await this.any(otherwiseAnyOf);
	}

	/** All rows that meet all conditions. */
	async all(...conditions: Condition[]): Promise<Row[]> {
		const rows: Row[] = [];
		for await (const row of this.each(conditions, 'ascending')) {
			rows.push(row);
		}
		return rows;
	}

	/** The rows that meet all conditions, by their ID, a page at a time. */
	async *each(
		conditions: Condition[],
		order: 'ascending' | 'descending',
	): AsyncGenerator<Row, void> {
		// Only a store that has listed its tables knows whether it sorts: `locate` lists them, unless this process has
		// done so before.
		await this.locate();
		if (!this.store.limits.isOrdered()) {
			const rows = await this.unordered(conditions);
			yield* order === 'ascending' ? rows : rows.reverse();
			return;
		}
		let afterLast: Condition[] = [];
		for (;;) {
			const page = await this.run([findStep('all', [...conditions, ...afterLast], order)]);
			yield* page;
			const last = page.at(-1);
			if (last === undefined || page.length < this.store.limits.page) {
				return;
			}
			afterLast = [where('id', order === 'ascending' ? 'gt' : 'lt', last.id)];
		}
	}

	/** The rows that meet any condition (`eq`), each once. */
	async any(conditions: Condition[]): Promise<Row[]> {
		const { limits } = this.store;
		if (conditions.length === 0) {
			return [];
		}
		if (conditions.length > limits.conditions) {
			return await this.scan(conditions);
		}
		if (conditions.length === 1) {
			return await this.all(...conditions);
		}
		if (limits.fitsOneFind('any', conditions)) {
			const page = await this.run([findStep('any', conditions)]);
			if (page.length < limits.page) {
				return page;
			}
		}
		// An `any` query cannot be paged by ID, and offsets shift while others write. So it is split.
		const halves = chunk(conditions, Math.ceil(conditions.length / 2));
		const found = await Promise.all(halves.map(async (half) => await this.any(half)));
		return [...new Map(found.flat().map((row) => [row.id, row])).values()];
	}

	/** Does steps one after the other, as many at once as the store can. */
	async change(steps: Step[]): Promise<void> {
		for (const some of chunk(steps, this.store.limits.steps)) {
			await this.run(some);
		}
	}

	/** Does steps that must not be lost, also when n8n has ended the execution: then no answer says whether they worked. */
	async changeDurably(steps: Step[]): Promise<DurableResult> {
		const id = await this.id();
		let result: DurableResult = { kind: 'done', rows: [] };
		for (const some of chunk(steps, this.store.limits.steps)) {
			result = await this.store.runDurably(id, some);
		}
		return result;
	}

	/** All rows that meet all conditions, by their ID, from a store that returns a page of any of them. */
	private async unordered(conditions: Condition[]): Promise<Row[]> {
		const { page } = this.store.limits;
		const rows: Row[] = [];
		// Less than a page is all that is left. If there is more, a window of IDs is read that always fits one page.
		const windowSize = page - 1;
		for (let windowStart = 0; ; windowStart += windowSize) {
			const rest = [...conditions, where('id', 'gt', windowStart)];
			const found = await this.run([findStep('all', rest)]);
			if (found.length < page) {
				rows.push(...found);
				return rows.sort((one, other) => one.id - other.id);
			}

			const window = [...rest, where('id', 'lte', windowStart + windowSize)];
			rows.push(...(await this.run([findStep('all', window)])));
		}
	}

	/** The rows that meet any condition (`eq`), of all rows: for more conditions than the store compares fast. */
	private async scan(conditions: Condition[]): Promise<Row[]> {
		const wanted = new Set(conditions.map(({ columnName, value }) => `${columnName} ${value}`));
		const columns = [...new Set(conditions.map(({ columnName }) => columnName))];
		const rows = await this.all(where('id', 'gt', 0));
		return rows.filter((row) => columns.some((column) => wanted.has(`${column} ${row[column]}`)));
	}

	/** Does steps in the table. Inserts wait until it is known which table that is. */
	private async run(steps: Step[]): Promise<Row[]> {
		const isLocated = this.tableId !== undefined;
		const isInsert = steps.some(({ kind }) => kind === 'insert');
		if (isLocated || isInsert || this.expectedId === undefined) {
			return await this.store.run(await this.id(), steps);
		}
		return await this.runOnExpected(this.expectedId, steps);
	}

	/**
	 * Does steps, and asks beside them which table is the ledger. They do no harm if it is another one by now:
	 * without an insert, they change only rows of the same payments.
	 */
	private async runOnExpected(expectedId: string, steps: Step[]): Promise<Row[]> {
		const { tables, result } = await this.store.listAndRun(expectedId, steps);
		this.tableId = await this.findTableId(tables);
		if (this.tableId !== expectedId) {
			return await this.store.run(this.tableId, steps);
		}
		if (result instanceof LedgerError) {
			throw result;
		}
		return result;
	}
}

const findStep = (
	match: 'all' | 'any',
	conditions: Condition[],
	order: 'ascending' | 'descending' = 'ascending',
): Step => ({ kind: 'find', match, conditions, order });
