import { randomUUID } from 'node:crypto';
import axios, { type AxiosInstance } from 'axios';

import {
	LedgerRecords,
	type PaidPayable,
} from '../../../nodes/PartnerPayments/ledger/protocol/records';
import { LedgerProtocol } from '../../../nodes/PartnerPayments/ledger/protocol/ledgerProtocol';
import { ApiStore } from '../../../nodes/PartnerPayments/ledger/table/apiStore';
import { LedgerTable } from '../../../nodes/PartnerPayments/ledger/table/ledgerTable';
import { N8nApi, type SendToN8n } from '../../../nodes/PartnerPayments/ledger/table/n8nApi';
import {
	ProjectStore,
	type ProjectHost,
} from '../../../nodes/PartnerPayments/ledger/table/projectStore';
import { equals, type Row, type RowValues } from '../../../nodes/PartnerPayments/ledger/table/rows';
import type { TableStore } from '../../../nodes/PartnerPayments/ledger/table/tableStore';
import type { Patience } from '../../../nodes/PartnerPayments/ledger/times';
import { parseJsonOrText } from '../../../nodes/PartnerPayments/shared/json';
import { isRecord } from '../../../nodes/PartnerPayments/shared/typeGuards';
import { chain, itemsFromWebhook, type N8n } from '../../../tools/n8n';
import { N8nClient } from '../../../tools/n8n/client';
import { addLedgerTable } from '../../../tools/payouts/ledgerStore';
import type { RunOptions } from '../../unit/ledger/ledgerRuns';
import { SUB_WORKFLOW_NODE } from './subWorkflows';

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
		return { status, body: parseJsonOrText(data) };
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
const SHORT_PATIENCE: Patience = { totalMs: 200, maxPauseMs: 20 };

/** A ledger's table, and runs that work on it, each as another process would open it. */
export class TestTable {
	constructor(
		readonly store: TableStore,
		readonly id: string,
	) {}

	/** Adds a table with a name of its own to the owner's project. */
	static async add(n8n: N8n, store: TableStore): Promise<TestTable> {
		const id = await addLedgerTable(n8n, `Ledger ${randomUUID()}`);
		return new TestTable(store, id);
	}

	/** Has n8n's public API make one with a name of its own. */
	static async shared(send: SendToN8n): Promise<TestTable> {
		const store = storeOf(send);
		const name = `Ledger ${randomUUID()}`;
		await store.create(name);
		const table = (await store.list()).find((one) => one.name === name);
		if (table === undefined) {
			throw new Error('The table was not made');
		}

		return new TestTable(store, table.id);
	}

	rows(store = this.store): LedgerTable {
		return new LedgerTable(store, async () => await Promise.resolve(this.id));
	}

	open({
		environment = 'sandbox',
		patience = SHORT_PATIENCE,
		store = this.store,
	}: RunOptions & { store?: TableStore } = {}): LedgerProtocol {
		return new LedgerProtocol(this.rows(store), { execution: '1', environment }, patience);
	}

	/** Writes into a row, as a person does. */
	async write(id: number, values: Partial<Row>): Promise<void> {
		const all = [equals('id', id)];
		await this.rows().change([{ kind: 'update', all, values: values as Partial<RowValues> }]);
	}

	/** Its rows, for people. */
	records(): LedgerRecords {
		return new LedgerRecords(this.rows());
	}
}

/** The tables behind n8n's public API. */
export const storeOf = (send: SendToN8n): ApiStore => new ApiStore(new N8nApi(send, 'n8n.example'));

/**
 * The tables of the owner's project: a workflow of this n8n runs what the ledger's sub-workflows are, in
 * that project. Its node does so as the ledger does, and needs no expression, of which each takes long. n8n
 * has to be started with `SUB_WORKFLOWS`.
 */
export async function projectStoreOf(n8n: N8n): Promise<ProjectStore> {
	const { path } = await n8n.publish((webhookPath) => ({
		...chain([
			...itemsFromWebhook(webhookPath, 'allEntries').slice(0, 1),
			{
				name: 'Run',
				type: SUB_WORKFLOW_NODE,
				typeVersion: 1,
				position: [240, 0],
				parameters: {},
			},
		]),
		// Nobody looks at thousands of executions.
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
	}));

	const host: ProjectHost = {
		getWorkflow: () => ({ id: 'any', name: 'Test', active: true }),
		executeWorkflow: async (info, items = []) => {
			const { data } = await n8n.client.callWebhook(path, { workflow: info.code, items });
			const answers = [data].flat().filter(isRecord);
			const failed = answers.find((answer) => typeof answer.error === 'string');
			if (failed !== undefined && answers.length === 1) {
				throw new Error(failed.error as string);
			}

			return { executionId: '1', data: [answers.map((json) => ({ json }))] };
		},
	};

	return new ProjectStore(host);
}

/** Payables of which no ledger knows, and which an event says are paid. */
export const unknownPayables = (count: number): PaidPayable[] =>
	Array.from({ length: count }, (_, index) => ({
		payableId: `pay-unknown-${index}`,
		paidAt: '2026-04-01T10:00:00.000Z',
	}));
