import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { N8nFunctions } from '../api/auth/credentials';
import { ANY_ANSWER, textResponse, type TextResponse } from '../api/http/message';
import { textOf } from '../shared/values';
import { connectN8n, type N8nApi } from './dataTable/n8nApi';
import { LedgerRecords } from './dataTable/records';
import { TableRows } from './dataTable/rows';
import { createTable, findTable } from './dataTable/table';
import { TableLedger } from './dataTable/tableLedger';
import { LedgerError, type Ledger } from './ledger';
import { nodeIdentity } from './nodeStore/keySet';
import { NodeLedger } from './nodeStore/nodeLedger';

const KNOWN_MS = 60_000;
const tableIds = new Map<string, { id: string; until: number }>();
/** The nodes that use a table and have no payments of their own. */
const nodesWithoutOwn = new Set<string>();

/** Where the ledger of a credential is; undefined without a key for a table. */
export function readLedgerSettings(credentials: IDataObject) {
	const text = (name: string): string => textOf(credentials[name]).trim();
	const apiKey = text('n8nApiKey');
	if (apiKey === '') return undefined;
	return { baseUrl: text('n8nBaseUrl'), apiKey, table: text('ledgerTable') };
}
export type LedgerSettings = NonNullable<ReturnType<typeof readLedgerSettings>>;

/** Opens the ledger of a credential: its table, or n8n's store for the node. Throws LedgerError or InputError. */
export async function openLedger(
	n8n: IExecuteFunctions,
	credentials: IDataObject,
	environment: string,
): Promise<Ledger> {
	if (readLedgerSettings(credentials) === undefined) return new NodeLedger(n8n, environment);
	const run = { execution: n8n.getExecutionId(), environment };
	const rows = await openRows(n8n, credentials);
	if (!n8n.getWorkflow().id || nodesWithoutOwn.has(nodeIdentity(n8n)))
		return new TableLedger(rows, run);
	const own = new NodeLedger(n8n, environment);
	if (await own.noteTable()) return new TableLedger(rows, run, own);
	nodesWithoutOwn.add(nodeIdentity(n8n));
	return new TableLedger(rows, run);
}

/** Throws a LedgerError when there is no table. */
export const openRecords = async (
	n8n: N8nFunctions,
	credentials: IDataObject,
): Promise<LedgerRecords> => new LedgerRecords(await openRows(n8n, credentials));

/** Creates the table of a credential unless it exists; returns whether it did. Throws a LedgerError. */
export async function createLedger(
	n8n: N8nFunctions,
	credentials: IDataObject,
): Promise<{ table: string; isNew: boolean }> {
	const { api, table } = connect(n8n, credentials);
	return { table, isNew: await createTable(api, table) };
}

async function openRows(n8n: N8nFunctions, credentials: IDataObject): Promise<TableRows> {
	const { api, table, baseUrl, apiKey } = connect(n8n, credentials);
	const name = JSON.stringify([baseUrl, table, apiKey]);
	const known = tableIds.get(name);
	if (known !== undefined && known.until > Date.now()) return new TableRows(api, known.id);
	const id = await findTable(api, table);
	tableIds.set(name, { id, until: Date.now() + KNOWN_MS });
	return new TableRows(api, id);
}

function connect(n8n: N8nFunctions, credentials: IDataObject): LedgerSettings & { api: N8nApi } {
	const settings = readLedgerSettings(credentials);
	if (settings === undefined)
		throw new LedgerError(
			'The credential has no n8n API key, so there is no ledger table',
			'Enter "n8n API Key" in the credential.',
		);
	// Without n8n's authentication, which ends requests when an execution is stopped.
	const send = async (request: IHttpRequestOptions): Promise<TextResponse> =>
		await textResponse(
			await n8n.helpers.httpRequest({ ...request, ...ANY_ANSWER, encoding: 'text' }),
		);
	return { ...settings, api: connectN8n(send, settings) };
}
