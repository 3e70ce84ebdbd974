import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { ANY_ANSWER, textResponse } from '../api/http/message';
import { stringOrEmpty } from '../shared/typeGuards';
import {
	findTable,
	ledgersIn,
	NoLedgerError,
	tableForPayer,
	tableForReader,
	type Payer,
	type TableMemory,
} from './findLedger';
import { LedgerError, type Ledger } from './ledger';
import { LedgerRecords, type LedgerSummary } from './protocol/records';
import { LedgerProtocol } from './protocol/ledgerProtocol';
import { ApiStore } from './table/apiStore';
import { EmptyStore } from './table/emptyStore';
import { LedgerTable, type FindTableId } from './table/ledgerTable';
import { connectN8n, daysUntilExpiry, EXPIRY_NOTICE_DAYS } from './table/n8nApi';
import { ProjectStore } from './table/projectStore';
import { confirmationOf, isConfirmationOf } from './table/rows';
import type { TableInfo, TableStore } from './table/tableStore';
import { CONFIRMED_MS, NO_SECOND_LEDGER_MS } from './times';
import { UsedTable } from './usedTable';

const DEFAULT_TABLE = 'Payout Ledger';

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

/**
 * Opens the ledger that a node pays with. Its first read finds the table, or makes it.
 *
 * @throws LedgerError if the address of n8n is not a URL
 */
export function openLedger(
	n8n: IExecuteFunctions,
	credentials: IDataObject,
	environment: string,
	hint: Hint,
): Ledger {
	return ledgerFor(n8n, credentials, environment, { hint, isPreview: false });
}

/**
 * Finds the ledger that a node would pay with, and makes none: where there is none yet, it is empty.
 *
 * @throws LedgerError when the node may not pay with what is there
 */
export async function openLedgerForPreview(
	n8n: IExecuteFunctions,
	credentials: IDataObject,
	environment: string,
	hint: Hint,
): Promise<Ledger> {
	const ledger = ledgerFor(n8n, credentials, environment, { hint, isPreview: true });
	const missing = await ledger.locate().catch((error: unknown) => {
		if (error instanceof NoLedgerError) {
			return error;
		}
		throw error;
	});
	if (!(missing instanceof NoLedgerError)) {
		return ledger;
	}

	hint(`${missing.message}. ${missing.hint}`);
	const nothing = tableWithId(new EmptyStore('a preview'), '');
	return new LedgerProtocol(nothing, { execution: n8n.getExecutionId(), environment });
}

function ledgerFor(
	n8n: IExecuteFunctions,
	credentials: IDataObject,
	environment: string,
	run: { hint: Hint; isPreview: boolean },
): Ledger {
	const settings = readLedgerSettings(credentials);
	const place = new LedgerPlace(n8n, settings);
	noteExpiry(settings, run.hint);
	const table = place.open(async (tables) => await place.findForPayer(tables, run));
	return new LedgerProtocol(table, { execution: n8n.getExecutionId(), environment });
}

/** The ledger as people and events see it. Its first read throws a LedgerError when there is none. */
export function openRecords(n8n: IExecuteFunctions, credentials: IDataObject): LedgerRecords {
	const place = new LedgerPlace(n8n, readLedgerSettings(credentials));
	const table = place.open(async (tables) => await Promise.resolve(place.findForReader(tables)));
	return new LedgerRecords(table);
}

export interface CreatedLedger {
	table: string;
	tableId: string;
	result: 'created' | 'confirmed';
	summary: LedgerSummary;
}

/** Makes the ledger's table, or confirms the one that is there. Throws a LedgerError. */
export async function createLedger(
	n8n: IExecuteFunctions,
	credentials: IDataObject,
): Promise<CreatedLedger> {
	const settings = readLedgerSettings(credentials);
	const place = new LedgerPlace(n8n, settings);
	const { store } = place;

	const tables = await store.list();
	await place.refuseSecondLedger(tables);
	const existing = findTable(store, tables, settings.table);
	if (existing === undefined) {
		await store.create(settings.table);
	}
	const tableId = existing ?? place.findForReader(await store.list());

	const table = tableWithId(store, tableId);
	const summary = await new LedgerRecords(table).summary();
	await table.insert([confirmationOf(tableId, n8n.getExecutionId())]);
	const result = existing === undefined ? 'created' : 'confirmed';
	return { table: settings.table, tableId, result, summary };
}

/** The tables that this process has found, by the name of their place. */
const foundTables = new Map<string, string>();

/** When a place was last seen without a second ledger, in milliseconds: by its name. */
const seenWithoutSecond = new Map<string, number>();

/** Where the ledger of a workflow and a credential is, and how its table is found. */
class LedgerPlace {
	readonly store: TableStore;
	private readonly name: string;

	/** @throws LedgerError if the address of n8n is not a URL */
	constructor(
		private readonly n8n: IExecuteFunctions,
		private readonly settings: LedgerSettings,
	) {
		this.store = storeFor(n8n, settings);
		this.name = JSON.stringify([n8n.getWorkflow().id, settings]);
	}

	/** @param find returns the ID of the table; nothing that was read is used before it has agreed */
	open(find: FindTableId): LedgerTable {
		const findAndKeep: FindTableId = async (tables) => {
			const id = await find(tables);
			foundTables.set(this.name, id);
			return id;
		};
		return new LedgerTable(this.store, findAndKeep, foundTables.get(this.name));
	}

	/** The table that the node pays with. Throws a LedgerError when none may be used. */
	async findForPayer(
		tables: TableInfo[] | undefined,
		{ hint, isPreview }: Pick<Payer, 'hint' | 'isPreview'>,
	): Promise<string> {
		await this.refuseSecondLedger(tables);
		return await tableForPayer(this.store, tables, this.settings.table, {
			memory: this.isInWorkflow ? new UsedTable(this.n8n) : NO_MEMORY,
			isConfirmed: async (tableId) => await this.isConfirmed(tableId),
			hint,
			isPreview,
		});
	}

	/** The table to read. Throws a LedgerError when there is none. */
	findForReader(tables: TableInfo[] | undefined): string {
		return tableForReader(this.store, tables, this.settings.table);
	}

	/** There is one ledger at a time: with a key, the project of the workflow must not have another one. */
	async refuseSecondLedger(tables: TableInfo[] | undefined): Promise<void> {
		if (this.settings.shared === undefined || !this.isInWorkflow) {
			return;
		}
		const seenAt = seenWithoutSecond.get(this.name) ?? -Infinity;
		if (Date.now() - seenAt < NO_SECOND_LEDGER_MS) {
			return;
		}

		const sharedId = findTable(this.store, tables, this.settings.table);
		const inProject = (await new ProjectStore(this.n8n).list()) ?? [];
		const isSharedOfProject = inProject.some(({ id }) => id === sharedId);
		const [second] = ledgersIn(inProject);
		if (isSharedOfProject || second === undefined) {
			seenWithoutSecond.set(this.name, Date.now());
			return;
		}

		throw new LedgerError(
			`This project has a ledger of its own, "${second.name}", beside the shared one`,
			'Pay nothing until one person has decided which ledger stays. They copy all rows of the other into it, and count them. For the shared one, they then delete this project\'s table. If not, they remove "n8n API Key". Last: run "Create" of "Ledger".',
		);
	}

	private get isInWorkflow(): boolean {
		return Boolean(this.n8n.getWorkflow().id);
	}

	/** Whether a person has confirmed a table as the ledger a short while ago. */
	private async isConfirmed(tableId: string): Promise<boolean> {
		const table = tableWithId(this.store, tableId);
		const confirmations = await table.all(...isConfirmationOf(tableId));
		return confirmations.some(({ createdAt }) => Date.now() - Date.parse(createdAt) < CONFIRMED_MS);
	}
}

const tableWithId = (store: TableStore, tableId: string): LedgerTable =>
	new LedgerTable(store, async () => await Promise.resolve(tableId));

/** Where there is no workflow, n8n has no memory of its nodes: they make no table. */
const NO_MEMORY: TableMemory = {
	mayCreateTable: async () => await Promise.resolve(false),
	accept: async () => await Promise.resolve(true),
	replace: async () => {},
};

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
