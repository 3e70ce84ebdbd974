import { COLUMNS } from '../../../nodes/PartnerPayments/ledger/table/rows';
import type { N8n } from '../../../tools/n8n';
import { addLedgerTable, LEDGER_TABLE } from '../../../tools/payouts/ledgerStore';

type TableRow = Record<string, unknown>;

/** What a person does to the Data Tables of all projects, and sees in them. */
export class ProjectTables {
	constructor(private readonly n8n: N8n) {}

	/** The names of all tables. */
	names(): string[] {
		return this.n8n.database.rows('SELECT name FROM data_table').map(({ name }) => String(name));
	}

	/** The rows of the ledger, without n8n's own columns. */
	rows(name = LEDGER_TABLE): TableRow[] {
		const rows = this.n8n.database.rows(
			`SELECT * FROM "data_table_user_${this.idOf(name)}" ORDER BY id`,
		);
		return rows.map((row) =>
			Object.fromEntries(COLUMNS.map((column) => [column.name, row[column.name] ?? null])),
		);
	}

	/** The states that the ledger has of a reference. */
	states(reference: string): unknown[] {
		return this.rows()
			.filter((row) => row['reference'] === reference)
			.map(({ state }) => state);
	}

	async rename(name: string, newName: string): Promise<void> {
		await this.change('PATCH', name, { name: newName });
	}

	async remove(name = LEDGER_TABLE): Promise<void> {
		await this.change('DELETE', name);
	}

	/** Removes all tables, so that a test begins in a project without any. */
	async removeAll(): Promise<void> {
		for (const name of this.names()) {
			await this.remove(name);
		}
	}

	/** Makes a table with rows that another one had. */
	async restore(rows: TableRow[], name = LEDGER_TABLE): Promise<void> {
		const id = await addLedgerTable(this.n8n, name);

		if (rows.length === 0) {
			return;
		}

		const body = { data: rows, returnType: 'count' };
		await this.n8n.client.publicApi('POST', `/data-tables/${id}/rows`, body);
	}

	/** The file that n8n makes of the ledger, with its own columns. */
	async download(): Promise<string> {
		const { id, projectId } = this.find(LEDGER_TABLE);
		const path = `/projects/${projectId}/data-tables/${id}/download-csv?includeSystemColumns=true`;
		const { csvContent } = await this.n8n.client.rest<{ csvContent: string }>('GET', path);
		return csvContent;
	}

	/** Makes the ledger of such a file, as a person does in n8n who excludes some of its columns. */
	async upload(csv: string, excluded: string[]): Promise<void> {
		const { client } = this.n8n;
		const form = new FormData();
		form.append('file', new Blob([csv], { type: 'text/csv' }), 'ledger.csv');
		const file = await client.rest<{ id: string; columns: Array<{ name: string }> }>(
			'POST',
			'/data-tables/uploads',
			form,
		);
		const columns = file.columns
			.filter(({ name }) => !excluded.includes(name))
			.map(({ name }) => ({ name, type: typeOf(name), csvColumnName: name }));

		const { id } = await client.rest<{ id: string }>('GET', '/projects/personal');
		const body = { name: LEDGER_TABLE, columns, fileId: file.id, hasHeaders: true };
		await client.rest('POST', `/projects/${id}/data-tables`, body);
	}

	private async change(method: 'PATCH' | 'DELETE', name: string, body?: object): Promise<void> {
		const { id, projectId } = this.find(name);
		await this.n8n.client.rest(method, `/projects/${projectId}/data-tables/${id}`, body);
	}

	private idOf(name: string): string {
		return this.find(name).id;
	}

	private find(name: string): { id: string; projectId: string } {
		const [table] = this.n8n.database.rows(
			'SELECT id, projectId FROM data_table WHERE name = ?',
			name,
		);

		if (table === undefined) {
			throw new Error(`There is no table "${name}"`);
		}

		return { id: String(table['id']), projectId: String(table['projectId']) };
	}
}

/** The type that the ledger wants of a column. */
const typeOf = (name: string): string =>
	COLUMNS.find((column) => column.name === name)?.type ?? 'string';
