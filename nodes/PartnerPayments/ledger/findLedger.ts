import { LedgerError } from './ledger';
import { COLUMNS } from './table/rows';
import type { TableInfo, TableStore } from './table/tableStore';

/** What n8n remembers of the tables that a node has paid with. */
export interface TableMemory {
	/** Whether the node may make a table: only if it has never met one, not even one that is gone. */
	mayCreateTable(): Promise<boolean>;
	/** Whether the node may pay with a table: it has used this one, or none yet. Remembers that it has met it, in any case. */
	accept(tableId: string): Promise<boolean>;
	/** Replaces the table that the node has used. */
	replace(tableId: string): Promise<void>;
}

/** What a node that pays asks of the ledger's table. */
export interface Payer {
	memory: TableMemory;
	/** Whether a person has confirmed a table as the ledger. */
	isConfirmed: (tableId: string) => Promise<boolean>;
	/** Tells a person what the output does not say. */
	hint: (message: string) => void;
	/** Whether it only looks: then it makes no table. */
	isPreview: boolean;
}

/** There is no ledger in a place: nothing was paid there yet, or its table is gone. */
export class NoLedgerError extends LedgerError {}

const TWICE = 'A table without the earlier payments pays them again.';

/**
 * The ID of the table that a node pays with. The first payment of a place makes it, but no node replaces
 * a table that it has used: that is up to a person.
 *
 * @throws NoLedgerError when there is none yet, for a preview
 * @throws LedgerError when none may be used
 */
export async function tableForPayer(
	store: TableStore,
	tables: TableInfo[] | undefined,
	name: string,
	{ memory, isConfirmed, hint, isPreview }: Payer,
): Promise<string> {
	await rememberOnlyLedger(tables, memory);
	let id = findTable(store, tables, name);
	if (tables === undefined && id !== undefined) {
		await store.check(id);
	}

	if (id === undefined) {
		if (!(await memory.mayCreateTable())) {
			throw goneError(store, name);
		}
		if (isPreview) {
			throw unmadeError(store);
		}
		await store.create(name);
		hint(newLedgerHint(store, name));
		id = findTable(store, await store.list(), name);
	}
	if (id === undefined) {
		throw new LedgerError(
			`The ledger table "${name}" was made, and n8n does not show it`,
			'Run it again with the same unique references.',
		);
	}

	if (await memory.accept(id)) {
		return id;
	}
	if (!(await isConfirmed(id))) {
		throw replacedError(store, name);
	}
	await memory.replace(id);
	return id;
}

/**
 * Remembers the ledger that a node has met, even if it has another name and the run ends with an error. If it is
 * deleted after that, the node makes no empty one.
 */
async function rememberOnlyLedger(
	tables: TableInfo[] | undefined,
	memory: TableMemory,
): Promise<void> {
	const [only, ...others] = ledgersIn(tables ?? []);
	if (only !== undefined && others.length === 0) {
		await memory.accept(only.id);
	}
}

/** The ID of the table for reading and resolving. Throws a LedgerError when there is none. */
export function tableForReader(
	store: TableStore,
	tables: TableInfo[] | undefined,
	name: string,
): string {
	const id = findTable(store, tables, name);
	if (id !== undefined) {
		return id;
	}
	throw new NoLedgerError(
		`There is no ledger table "${name}" in ${store.place}`,
		'If there was one before, restore it: without it, what was paid is unknown. If nothing was paid yet, the first payout makes it.',
	);
}

/**
 * The ID of the table with a name, or with this ID; undefined when there is no ledger at all.
 *
 * @throws LedgerError when the ledger has another name, or the table lacks columns
 */
export function findTable(
	store: TableStore,
	tables: TableInfo[] | undefined,
	name: string,
): string | undefined {
	if (tables === undefined) {
		return idOnly(name);
	}
	const found = tableOfName(store, tables, name) ?? tables.find(({ id }) => id === name);
	if (found === undefined) {
		const others = ledgersIn(tables);
		if (others.length === 0) {
			return undefined;
		}
		const names = others.map((table) => JSON.stringify(table.name)).join(', ');
		throw new LedgerError(
			`The ledger of ${store.place} is the table ${names}, not "${name}"`,
			others.length === 1 ? renamedHint(name) : SEVERAL_LEDGERS,
		);
	}
	const missing = missingColumns(found);
	if (missing.length === 0) {
		return found.id;
	}
	throw new LedgerError(
		`The Data Table "${found.name}" lacks columns of the ledger, or their types: ${missing.join(', ')}`,
		'If it is the ledger, restore it with its rows and these types from a backup. An empty column hides what was paid, and it is paid again. If not, turn on "Ledger Elsewhere" in the credential, and correct "Ledger Table".',
	);
}

const renamedHint = (name: string): string =>
	`If a person renamed it, rename it back to "${name}" by a click on its title. If it was never called that, correct "Ledger Table" in the credential, under "Ledger Elsewhere". ${TWICE}`;

const SEVERAL_LEDGERS = `Ask the person responsible which one is the ledger. Then turn on "Ledger Elsewhere" in the credential, and enter its name as "Ledger Table". ${TWICE}`;

function tableOfName(store: TableStore, tables: TableInfo[], name: string): TableInfo | undefined {
	const found = tables.filter((table) => table.name === name);
	if (found.length > 1) {
		throw new LedgerError(
			`Several Data Tables in ${store.place} are called "${name}"`,
			'Rename none: each may be the ledger of its project. Ask the person responsible which one is meant. Then turn on "Ledger Elsewhere" in the credential, and enter its ID, from the end of its address, as "Ledger Table".',
		);
	}
	return found[0];
}

/** What the ID of a Data Table looks like. */
const TABLE_ID = /^[A-Za-z0-9]{16}$/;

/** Where n8n finds tables by their IDs alone. Whether it is the ledger shows when it is used. */
function idOnly(name: string): string {
	if (TABLE_ID.test(name)) {
		return name;
	}
	throw new LedgerError(
		`This n8n cannot find the Data Table "${name}": its Data Table node takes IDs alone`,
		'1. Only if this project has no ledger, import payout-ledger.csv of the documentation as a Data Table. 2. In each credential, turn on "Ledger Elsewhere". 3. Enter the ID at the end of the table\'s address as "Ledger Table". A second, empty table pays again.',
	);
}

/** The tables with the columns of a ledger. */
export const ledgersIn = (tables: TableInfo[]): TableInfo[] =>
	tables.filter((table) => missingColumns(table).length === 0);

const missingColumns = ({ columns }: TableInfo): string[] =>
	COLUMNS.filter(
		({ name, type }) => !columns.some((one) => one.name === name && one.type === type),
	).map(({ name, type }) => `${name} (${type})`);

/** A node that has never met a ledger cannot tell a place where nothing was paid from one whose ledger was deleted. */
const newLedgerHint = ({ place }: TableStore, name: string): string =>
	`There was no ledger in ${place}, so this run made an empty one: "${name}". ${AFTER_NEW_LEDGER}`;

const AFTER_NEW_LEDGER =
	'That is right the first time. Otherwise, stop: an empty ledger pays again. Rename this table, and do not delete it: it has what this run paid. Restore the earlier ledger, copy these rows into it, then compare both with the service.';

const unmadeError = ({ place }: TableStore): NoLedgerError =>
	new NoLedgerError(
		`There is no ledger in ${place}, so this was compared with no earlier payment`,
		'That is right the first time: the first payout makes an empty one. Otherwise, restore the ledger first. An empty one pays again.',
	);

const goneError = ({ place }: TableStore, name: string): LedgerError =>
	new LedgerError(
		`The ledger table "${name}" that this node has used is gone from ${place}`,
		'Move the workflow back, or restore the table. Until then, run no new or copied node: it pays again. If it is lost, remove from the input what has a funding in the service, paid or not. Only then run "Create" of "Ledger".',
	);

const replacedError = ({ place }: TableStore, name: string): LedgerError =>
	new LedgerError(
		`The table "${name}" in ${place} is not the ledger that this node has paid with`,
		`If the workflow was moved, move it back. If the table was replaced, remove from the input what has a funding in the service, paid or not. Only then run "Create" of "Ledger" once. ${TWICE}`,
	);
