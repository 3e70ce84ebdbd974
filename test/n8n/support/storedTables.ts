import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../nodes/PartnerPayments/shared/json';
import type { N8n } from '../../../tools/n8n';
import { addLedgerTable, sender } from './ledgerTable';

/** The Data Tables of an n8n, as a person changes them, through its public API. */
export class StoredTables {
	private readonly send;

	/** @param ledgerTable the name of the table in which entries are changed */
	constructor(
		{ url, client }: N8n,
		private readonly ledgerTable: string,
	) {
		this.send = sender(url, client.apiKey);
	}

	/** Adds a ledger table beside the others. */
	async add(name: string): Promise<void> {
		await addLedgerTable(this.send, name);
	}

	/** The path of the table with a name; undefined when there is none. */
	async find(name: string): Promise<string | undefined> {
		const { body } = await this.send({ method: 'GET', path: '/data-tables', scope: '' });
		const tables: unknown[] = isRecord(body) && Array.isArray(body.data) ? body.data : [];
		const table = tables.filter(isRecord).find((one) => one.name === name);
		return typeof table?.id === 'string' ? `/data-tables/${table.id}` : undefined;
	}

	/** Deletes the table with a name. */
	async delete(name: string): Promise<void> {
		await this.change('DELETE', await this.find(name));
	}

	/** Writes the state of an entry of the ledger, which then belongs to no run. */
	async writeState(reference: string, state: string): Promise<void> {
		const filters = [{ columnName: 'reference', condition: 'eq', value: reference }];
		const path = await this.find(this.ledgerTable);
		const body = { filter: { type: 'and', filters }, data: { state, run: null } };
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
