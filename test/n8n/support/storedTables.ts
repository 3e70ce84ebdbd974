import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../nodes/PartnerPayments/shared/json';
import type { N8n } from '../../../tools/n8n';
import { readLedger } from '../../../tools/payouts/ledgerStore';
import { sender } from './ledgerTable';

/** The Data Tables of an n8n, as a person changes them, through its public API. */
export class StoredTables {
	private readonly send;

	/** @param ledgerTable the name of the table in which rows are changed */
	constructor(
		private readonly n8n: N8n,
		private readonly ledgerTable: string,
	) {
		this.send = sender(n8n.url, n8n.client.apiKey);
	}

	/** The path of the table with a name; undefined when there is none. */
	async find(name: string): Promise<string | undefined> {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const path = `/data-tables?filter=${filter}`;
		const { body } = await this.send({ method: 'GET', path, scope: '' });
		const tables: unknown[] = isRecord(body) && Array.isArray(body.data) ? body.data : [];
		const table = tables.filter(isRecord).find((one) => one.name === name);
		return typeof table?.id === 'string' ? `/data-tables/${table.id}` : undefined;
	}

	/** Deletes the table with a name. */
	async delete(name: string): Promise<void> {
		await this.change('DELETE', await this.find(name));
	}

	/** The state of a reference's row. */
	async stateOf(reference: string): Promise<unknown> {
		const { rows } = await readLedger(this.n8n, this.ledgerTable);
		return rows.find((row) => row['reference'] === reference)?.['state'];
	}

	/** Writes the state of a reference's row. */
	async writeState(reference: string, state: string): Promise<void> {
		const filters = [{ columnName: 'reference', condition: 'eq', value: reference }];
		const path = await this.find(this.ledgerTable);
		const body = { filter: { type: 'and', filters }, data: { state } };
		await this.change('PATCH', path && `${path}/rows/update`, body);
	}

	private async change(
		method: 'DELETE' | 'PATCH',
		path?: string,
		body?: IDataObject,
	): Promise<void> {
		if (path === undefined) throw new Error('There is no such table');
		const { status } = await this.send({ method, path, scope: '', ...(body && { body }) });
		if (status >= 300) throw new Error(`n8n answered ${status}`);
	}
}
