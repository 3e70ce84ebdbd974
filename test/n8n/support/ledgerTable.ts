import { randomUUID } from 'node:crypto';
import axios, { type AxiosInstance } from 'axios';

import { DataTableLedger } from '../../../nodes/PartnerPayments/ledger/dataTable/dataTableLedger';
import type { SendToN8n } from '../../../nodes/PartnerPayments/ledger/dataTable/apiRequest';
import { emptyLedger } from '../../../nodes/PartnerPayments/ledger/dataTable/makeTable';
import { N8nApi } from '../../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import { TableRows } from '../../../nodes/PartnerPayments/ledger/dataTable/rows';
import type { Patience } from '../../../nodes/PartnerPayments/ledger/dataTable/tableRun';
import type { UsedTables } from '../../../nodes/PartnerPayments/ledger/dataTable/usedTables';
import type { LedgerKind } from '../../../nodes/PartnerPayments/ledger/ledger';
import { systemClock } from '../../../nodes/PartnerPayments/service/http/clock';
import { isRecord, parseJson } from '../../../nodes/PartnerPayments/shared/json';
import { NO_OWN_REFERENCES } from '../../unit/ledger/ledgerContract-support';

/** Short, so that tests of runs that were cut off need not wait. */
const PATIENCE: Patience = { idleMs: 400, inDoubtMs: 400, pollMs: 50 };

/** How a run is opened. */
export interface RunOptions {
	kind?: LedgerKind;
	environment?: string;
	patience?: Patience;
	/** Sends the requests of this run. */
	send?: SendToN8n;
}

/** Sends requests to the public API of an n8n, without an n8n around the sender. */
export function sender(url: string, apiKey: string): SendToN8n {
	const http: AxiosInstance = axios.create({
		baseURL: `${url}/api/v1`,
		proxy: false,
		headers: { 'X-N8N-API-KEY': apiKey },
		validateStatus: () => true,
		responseType: 'text',
		transformResponse: (text: unknown) => text,
	});
	return async ({ method, path, body }) => {
		const { status, data } = await http.request<string>({ method, url: path, data: body });
		return { status, body: parseJson(data) };
	};
}

export const apiOf = (send: SendToN8n): N8nApi => new N8nApi(send, 'n8n.example', systemClock);

/** A node that has used no table before. */
export const NOTHING_USED: UsedTables = {
	has: async () => await Promise.resolve(false),
	add: async () => await Promise.resolve(true),
};

/** Adds a ledger table beside others, as a person does who wants several; returns its id. */
export async function addLedgerTable(send: SendToN8n, name: string): Promise<string> {
	const body = emptyLedger(name);
	const answer = await send({ method: 'POST', path: '/data-tables', body, scope: '' });
	if (!isRecord(answer.body) || typeof answer.body.id !== 'string')
		throw new Error('The table was not made');
	return answer.body.id;
}

/** A Data Table of a real n8n, and runs that work on it. */
export class TestTable {
	private constructor(
		readonly send: SendToN8n,
		readonly id: string,
		readonly name: string,
	) {}

	/** Makes a table with a name of its own. */
	static async make(send: SendToN8n): Promise<TestTable> {
		const name = `Ledger ${randomUUID()}`;
		return new TestTable(send, await addLedgerTable(send, name), name);
	}

	rows(send = this.send): TableRows {
		return new TableRows(apiOf(send), this.id);
	}

	/** A run, as another process would open it. */
	open({
		kind = 'payout',
		environment = 'sandbox',
		patience = PATIENCE,
		send = this.send,
	}: RunOptions = {}): DataTableLedger {
		const run = {
			rows: this.rows(send),
			scope: { kind, environment },
			token: randomUUID(),
			execution: '1',
			clock: systemClock,
			signal: undefined,
			patience,
		};
		return new DataTableLedger(run, NO_OWN_REFERENCES);
	}
}
