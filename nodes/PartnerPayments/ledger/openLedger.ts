import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { N8nFunctions } from '../service/auth/credentials';
import { textResponse } from '../service/http/response';
import { textOf } from '../shared/values';
import { connectN8n, type N8nApi } from './dataTable/n8nApi';
import { LedgerRecords } from './dataTable/records';
import { TableRows } from './dataTable/rows';
import { createTable, findTable } from './dataTable/table';
import { TableLedger } from './dataTable/tableLedger';
import { LedgerError, type Ledger } from './ledger';
import { nodeIdentity } from './nodeStore/host';
import { NodeLedger } from './nodeStore/nodeLedger';

/** Where a credential says that its ledger is. */
export interface LedgerSettings {
	baseUrl: string;
	apiKey: string;
	table: string;
}

/** For so long a table is not looked at again. */
const KNOWN_MS = 60_000;
const tableIds = new Map<string, { id: string; until: number }>();
/** The nodes of this process that use a table and have no payments of their own. */
const nodesWithoutOwn = new Set<string>();

/** Reads where the ledger of a credential is; undefined when it has no key for a table. */
export function readLedgerSettings(credentials: IDataObject): LedgerSettings | undefined {
	const text = (name: string): string => textOf(credentials[name]).trim();
	const apiKey = text('n8nApiKey');
	if (apiKey === '') return undefined;
	return { baseUrl: text('n8nBaseUrl'), apiKey, table: text('ledgerTable') };
}

/**
 * Opens the ledger of a credential: in its table, or in n8n's store for the node.
 *
 * @throws LedgerError when it cannot be used, InputError when the workflow was never saved
 */
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

/**
 * Opens the rows of a credential's ledger table.
 *
 * @throws LedgerError when the credential has no key, or the table cannot be used
 */
export async function openRecords(
	n8n: N8nFunctions,
	credentials: IDataObject,
): Promise<LedgerRecords> {
	return new LedgerRecords(await openRows(n8n, credentials));
}

/**
 * Makes the table of a credential's ledger, unless it is there.
 *
 * @returns its name, and whether it was made now
 * @throws LedgerError when the credential has no key, or the table cannot be made
 */
export async function createLedger(
	n8n: N8nFunctions,
	credentials: IDataObject,
): Promise<{ table: string; isNew: boolean }> {
	const { api, table } = connect(n8n, credentials);
	return { table, isNew: await createTable(api, table) };
}

async function openRows(n8n: N8nFunctions, credentials: IDataObject): Promise<TableRows> {
	const { api, table, name } = connect(n8n, credentials);
	const known = tableIds.get(name);
	if (known !== undefined && known.until > Date.now()) return new TableRows(api, known.id);
	const id = await findTable(api, table);
	tableIds.set(name, { id, until: Date.now() + KNOWN_MS });
	return new TableRows(api, id);
}

/** @returns also a name for the table, which gives away no key */
function connect(
	n8n: N8nFunctions,
	credentials: IDataObject,
): { api: N8nApi; table: string; name: string } {
	const settings = readLedgerSettings(credentials);
	if (settings === undefined)
		throw new LedgerError(
			'The credential has no n8n API key, so there is no ledger table',
			'Enter the key in the credential, under "n8n API Key".',
		);
	const { apiKey, baseUrl, table } = settings;
	if (table === '')
		throw new LedgerError('The "Ledger Table" of the credential is empty', 'Enter its name there.');
	const whole = {
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		encoding: 'text',
	} as const;
	// Not with n8n's authentication, which cuts requests off when an execution is stopped.
	const api = connectN8n(
		async (request) => textResponse(await n8n.helpers.httpRequest({ ...request, ...whole })),
		baseUrl,
		apiKey,
	);
	const name = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
	return { api, table, name };
}
