import { randomUUID } from 'node:crypto';
import axios, { type AxiosInstance } from 'axios';

import { N8nApi, type SendToN8n } from '../../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import { LedgerRecords } from '../../../nodes/PartnerPayments/ledger/dataTable/records';
import { TableRows } from '../../../nodes/PartnerPayments/ledger/dataTable/rows';
import { TableLedger } from '../../../nodes/PartnerPayments/ledger/dataTable/tableLedger';
import { isRecord, parseJson } from '../../../nodes/PartnerPayments/shared/values';
import type { N8n } from '../../../tools/n8n';
import { N8nClient } from '../../../tools/n8n/client';
import { emptyLedger } from '../../../tools/payouts/ledgerStore';

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

/** The key of a new user, who is no owner and sees no tables of others. */
export async function keyOfNewUser({ client, url }: N8n): Promise<string> {
	const invitation = [{ email: `${randomUUID()}@example.com`, role: 'global:member' }];
	const [invited] = await client.rest<Array<{ user: { inviteAcceptUrl: string } }>>(
		'POST',
		'/invitations',
		invitation,
	);
	const token = new URL(invited?.user.inviteAcceptUrl ?? '').searchParams.get('token');
	const member = new N8nClient(url);
	const name = { firstName: 'A', lastName: 'Member' };
	await member.rest('POST', '/invitations/accept', { token, ...name, password: 'Member-Login-1' });
	return await member.createApiKey();
}

/** Short, so that tests of runs that were cut off need not wait. */
const PATIENCE_MS = 1_000;

/** A Data Table of a real n8n, and runs that work on it. */
export class TestTable {
	private constructor(
		readonly send: SendToN8n,
		readonly id: string,
		readonly name: string,
	) {}

	/** Makes a table with a name of its own, unless one is given. */
	static async make(send: SendToN8n, name = `Ledger ${randomUUID()}`): Promise<TestTable> {
		const body = emptyLedger(name);
		const answer = await send({ method: 'POST', path: '/data-tables', body });
		if (!isRecord(answer.body) || typeof answer.body.id !== 'string')
			throw new Error('The table was not made');
		return new TestTable(send, answer.body.id, name);
	}

	rows(send = this.send): TableRows {
		return new TableRows(new N8nApi(send, 'n8n.example'), this.id);
	}

	/** A run, as another process would open it. */
	open(environment = 'sandbox', send = this.send): TableLedger {
		const run = { execution: '1', environment };
		return new TableLedger(this.rows(send), run, undefined, PATIENCE_MS);
	}

	/** Its rows, for people. */
	records(): LedgerRecords {
		return new LedgerRecords(this.rows());
	}
}
