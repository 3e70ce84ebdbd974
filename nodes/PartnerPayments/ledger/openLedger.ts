import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { ANY_ANSWER, textResponse } from '../api/http/message';
import { stringOrEmpty } from '../shared/typeGuards';
import { findTable, ledgersIn, tableForPayer, tableForReader } from './findLedger';
import { LedgerError, type Ledger } from './ledger';
import { LedgerRecords } from './protocol/records';
import { TableLedger } from './protocol/tableLedger';
import { ApiStore } from './table/apiStore';
import { LedgerTable, type ResolveTable } from './table/ledgerTable';
import { connectN8n, daysUntilExpiry, EXPIRY_NOTICE_DAYS } from './table/n8nApi';
import { ProjectStore } from './table/projectStore';
import { confirmationOf, isConfirmationOf, type Row } from './table/rows';
import type { TableInfo, TableStore } from './table/tableStore';
import { UsedTable } from './usedTable';

export const DEFAULT_TABLE = 'Payout Ledger';

/** Where the ledger of a credential is. */
export interface LedgerSettings {
	/** The name of the table, or its ID. */
	table: string;
	/** Another place than the workflow's project: an n8n, and a key of its public API. */
	shared: { baseUrl: string; apiKey: string } | undefined;
}

export function readLedgerSettings(credentials: IDataObject): LedgerSettings {
	const text = (name: string): string => stringOrEmpty(credentials[name]).trim();
	const apiKey = text('n8nApiKey');
	return {
		table: text('ledgerTable') || DEFAULT_TABLE,
		shared: apiKey === '' ? undefined : { baseUrl: text('n8nBaseUrl'), apiKey },
	};
}

/** What a run tells people beside its output. */
type Hint = (message: string) => void;

/** The tables that this process has found: by the workflow and the settings of the credential. */
const foundTables = new Map<string, string>();

/**
 * Opens the ledger that a node pays with. Its first read finds the table, or makes it.
 *
 * @throws LedgerError for an address of n8n that is none
 */
export function openLedger(
	n8n: IExecuteFunctions,
	credentials: IDataObject,
	environment: string,
	hint: Hint,
): Ledger {
	const settings = readLedgerSettings(credentials);
	const store = storeFor(n8n, settings);
	noteExpiry(settings, hint);
	const memory = n8n.getWorkflow().id ? new UsedTable(n8n) : NO_MEMORY;
	const isConfirmed = async (tableId: string): Promise<boolean> => {
		const table = new LedgerTable(store, async () => await Promise.resolve(tableId));
		const confirmations = await table.all(...isConfirmationOf(tableId));
		return confirmations.some(isRecent);
	};
	const resolve = async (tables: TableInfo[] | undefined): Promise<string> => {
		await refuseSecondLedger(n8n, settings, store, tables);
		return await tableForPayer(store, tables, settings.table, { memory, isConfirmed });
	};
	const table = ledgerTable(n8n, settings, store, resolve);
	return new TableLedger(table, { execution: n8n.getExecutionId(), environment });
}

/** The ledger as people and events see it. Its first read throws a LedgerError when there is none. */
export function openRecords(n8n: IExecuteFunctions, credentials: IDataObject): LedgerRecords {
	const settings = readLedgerSettings(credentials);
	const store = storeFor(n8n, settings);
	const resolve: ResolveTable = async (tables) =>
		await Promise.resolve(tableForReader(store, tables, settings.table));
	return new LedgerRecords(ledgerTable(n8n, settings, store, resolve));
}

export interface CreatedLedger {
	table: string;
	tableId: string;
	result: 'created' | 'confirmed';
	/** How many payments the table knows, and since when (ISO 8601). */
	payments: number;
	since: string | undefined;
}

/** Makes the ledger's table, or confirms the one that is there. Throws a LedgerError. */
export async function createLedger(
	n8n: IExecuteFunctions,
	credentials: IDataObject,
): Promise<CreatedLedger> {
	const settings = readLedgerSettings(credentials);
	const store = storeFor(n8n, settings);
	const tables = await store.list();
	await refuseSecondLedger(n8n, settings, store, tables);
	const known = findTable(store, tables, settings.table);
	if (known === undefined) {
		await store.create(settings.table);
	}
	const tableId = known ?? tableForReader(store, await store.list(), settings.table);
	const table = new LedgerTable(store, async () => await Promise.resolve(tableId));
	const { payments, since } = await new LedgerRecords(table).summary();
	await table.insert([confirmationOf(tableId, n8n.getExecutionId())]);
	const result = known === undefined ? 'created' : 'confirmed';
	return { table: settings.table, tableId, result, payments, since };
}

/** How long after a person has confirmed a table a node may use it in place of another one. */
const CONFIRMED_MS = 24 * 3_600_000;

const isRecent = ({ createdAt }: Row): boolean => Date.now() - Date.parse(createdAt) < CONFIRMED_MS;

/** Where there is no workflow, n8n has no memory of its nodes: they make no table. */
const NO_MEMORY = {
	isAny: async () => await Promise.resolve(true),
	accept: async () => await Promise.resolve(true),
	replace: async () => {
		await Promise.resolve();
	},
};

/** A workflow with the settings of a credential. */
const nameOf = (n8n: IExecuteFunctions, settings: LedgerSettings): string =>
	JSON.stringify([n8n.getWorkflow().id, settings]);

function storeFor(n8n: IExecuteFunctions, { shared }: LedgerSettings): TableStore {
	if (shared === undefined) {
		return new ProjectStore(n8n);
	}
	// Without n8n's authentication, which ends requests when an execution is stopped.
	const send = async (request: IHttpRequestOptions) =>
		await textResponse(
			await n8n.helpers.httpRequest({ ...request, ...ANY_ANSWER, encoding: 'text' }),
		);
	return new ApiStore(connectN8n(send, shared));
}

function ledgerTable(
	n8n: IExecuteFunctions,
	settings: LedgerSettings,
	store: TableStore,
	resolve: ResolveTable,
): LedgerTable {
	const name = nameOf(n8n, settings);
	const resolveAndKeep: ResolveTable = async (tables) => {
		const id = await resolve(tables);
		foundTables.set(name, id);
		return id;
	};
	return new LedgerTable(store, resolveAndKeep, foundTables.get(name));
}

/** How long a project that has no ledger of its own is not asked again. */
const NO_SECOND_LEDGER_MS = 60_000;

/** When a project was last seen without a ledger of its own, in milliseconds: by `nameOf`. */
const seenWithoutSecond = new Map<string, number>();

/** There is one ledger at a time: with a key, the project of the workflow must not have another one. */
async function refuseSecondLedger(
	n8n: IExecuteFunctions,
	settings: LedgerSettings,
	store: TableStore,
	tables: TableInfo[] | undefined,
): Promise<void> {
	if (settings.shared === undefined || !n8n.getWorkflow().id) {
		return;
	}
	const name = nameOf(n8n, settings);
	const seenAt = seenWithoutSecond.get(name) ?? -Infinity;
	if (Date.now() - seenAt < NO_SECOND_LEDGER_MS) {
		return;
	}
	const shared = findTable(store, tables, settings.table);
	const inProject = (await new ProjectStore(n8n).list()) ?? [];
	const isSharedHere = inProject.some(({ id }) => id === shared);
	const [own] = ledgersIn(inProject);
	if (isSharedHere || own === undefined) {
		seenWithoutSecond.set(name, Date.now());
		return;
	}
	throw new LedgerError(
		`This project has a ledger of its own, "${own.name}", beside the shared one`,
		'Remove "n8n API Key" from the credential to keep the ledger of this project. To share one instead: copy the rows of this table into the shared one, then delete this table.',
	);
}

function noteExpiry({ shared }: LedgerSettings, hint: Hint): void {
	const days = shared === undefined ? Infinity : daysUntilExpiry(shared.apiKey);
	if (days > EXPIRY_NOTICE_DAYS) {
		return;
	}
	const when = days < 1 ? 'in less than a day' : `in ${Math.floor(days)} days`;
	hint(
		`The n8n API key of the credential expires ${when}. Then nothing is paid. Create another key as the same user, and enter it in the credential.`,
	);
}
