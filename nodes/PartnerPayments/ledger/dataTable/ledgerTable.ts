import { randomUUID } from 'crypto';

import { normalizeReference } from '../../shared/reference';
import { sum } from '../../shared/money';
import { isSending, LedgerError, type EntryState, type LedgerEntry } from '../ledger';
import { entryOf, type RowValues, type TableRow } from './row';
import { allOf, equals, type Condition, type TableRows } from './rows';
import { stateOf } from './heldRows';

const DAY_MS = 86_400_000;
const PAGE = 250;

/** A ledger entry with what it belongs to. */
export interface LedgerRecord extends LedgerEntry {
	/** The row's id in the table, which n8n may use again for another row. */
	id: number;
	reference: string;
	/** `payout`, `payable` or `funding`. */
	kind: string;
	environment: string;
	workspaceId: string;
	payee: string;
	/** Minor units; null where a person has written what is no whole number of them. */
	amount: number | null;
	content: string;
	/** Whether a run works on it, or was cut off while it did. */
	isHeld: boolean;
	/** As it stands in the table, where people may have written anything; null where it is empty. */
	writtenState: string | null;
	/** The tokens of the run, and of the change that was made last. */
	writtenRun: string | null;
	batch: string;
	/** The execution that wrote it last. */
	execution: string;
	/** ISO 8601. */
	createdAt: string;
	updatedAt: string;
}

/** Which entries are wanted; what is left out does not matter. */
interface EntryFilter {
	states?: EntryState[];
	/** E-mail address or service ID, in any case. */
	payee?: string;
	/** Written since then, ISO 8601. */
	since?: string;
	workspaceId?: string;
	environment?: string;
}

/** By what an entry is found. */
export type EntryKey = { reference: string } | { payableId: string };

/** What a person knows of a payment in doubt. */
export type Outcome = 'paid' | 'notPaid';

/**
 * The entries of a Data Table, for people. Every method throws a LedgerError when n8n refuses it, or
 * does not answer.
 */
export class LedgerTable {
	constructor(private readonly rows: TableRows) {}

	/** Entries, the newest first, up to a limit. */
	async list(filter: EntryFilter, limit = Infinity): Promise<LedgerRecord[]> {
		const records: LedgerRecord[] = [];
		for await (const row of rowsOf(this.rows, conditionsOf(filter))) {
			if (!isWanted(row, filter)) continue;
			records.push(toRecord(row));
			if (records.length >= limit) break;
		}
		return records.slice(0, limit);
	}

	/** All entries with a reference or a payable, of every kind, workspace and environment. */
	async find(key: EntryKey): Promise<LedgerRecord[]> {
		const condition =
			'reference' in key
				? equals('reference', normalizeReference(key.reference))
				: equals('payable_id', key.payableId.trim());
		const rows = await this.rows.readAll(condition);
		return rows.filter(({ state }) => state !== 'entering').map(toRecord);
	}

	/**
	 * Writes what a person knows of an entry: `paid` settles it, `notPaid` lets the next run send its
	 * request.
	 *
	 * @param record as it was read; when it has changed since, nothing is written
	 * @returns the entry as it stands then; undefined when it has changed, or when `notPaid` is said of
	 *   one that is not in doubt
	 */
	async settleByHand(record: LedgerRecord, outcome: Outcome): Promise<LedgerRecord | undefined> {
		const state = stateAfter(record, outcome);
		if (state === undefined) return undefined;
		const { reference, writtenState, writtenRun, batch } = record;
		const conditions = [
			equals('reference', reference),
			equals('state', writtenState),
			equals('run', writtenRun),
			...(batch === '' ? [] : [equals('batch', batch)]),
		];
		// With a new batch, so that n8n cannot carry the same request out once more, late.
		const values: Partial<RowValues> = { state, run: '', batch: randomUUID() };
		const [row] = await this.rows.updateThese([record.id], conditions, values);
		const isSame = row?.reference === reference && row.batch === values.batch;
		return isSame ? toRecord(row) : undefined;
	}
}

function stateAfter(
	{ kind, state, facts }: LedgerRecord,
	outcome: Outcome,
): EntryState | undefined {
	if (outcome === 'paid') return kind === 'payable' ? 'created' : 'funded';
	if (!isSending(state)) return undefined;
	return kind === 'payout' && facts.payable_id !== undefined ? 'approved' : 'claimed';
}

/**
 * What payouts and fundings written since a time come to, in whatever state.
 *
 * @returns minor units
 * @throws LedgerError for an amount in which a person has written what is none
 */
export async function spentSince(
	rows: TableRows,
	scope: { workspaceId: string; environment: string; since: string },
): Promise<number> {
	const amounts: number[] = [];
	for await (const row of rowsOf(rows, conditionsOf(scope))) {
		if (row.operation === 'payable' || !isWanted(row, scope)) continue;
		if (row.amount_cents === null) throw unknownAmountError(row);
		amounts.push(row.amount_cents);
	}
	return sum(amounts);
}

const unknownAmountError = ({ reference }: TableRow): LedgerError =>
	new LedgerError(
		`The amount_cents of "${reference}" in the ledger table is not a whole number of cents, so what was paid today is not known`,
		'Somebody has changed or emptied it. Write the amount that its content names there, in cents, such as 25000 for 250.00. Then run it again with the same unique references.',
	);

/** The rows that meet conditions, the newest first. */
async function* rowsOf(rows: TableRows, conditions: Condition[]): AsyncGenerator<TableRow> {
	let before: Condition[] = [];
	for (;;) {
		const page = await rows.readPage(allOf(...conditions, ...before), 'id:desc', PAGE);
		yield* page;
		const last = page.at(-1);
		if (last === undefined || page.length < PAGE) return;
		before = [{ columnName: 'id', condition: 'lt', value: last.id }];
	}
}

/** What n8n can filter by; `isWanted` does the rest. */
function conditionsOf({ states, since, workspaceId, environment }: EntryFilter): Condition[] {
	const [state] = states ?? [];
	// What is in doubt because nobody knows its state has another one in the table.
	const isAsWritten = states?.length === 1 && state !== undefined && !isSending(state);
	// n8n compares times as texts in two forms on SQLite, which can be wrong within a day.
	const dayBefore = since && new Date(Date.parse(since) - DAY_MS).toISOString();
	return [
		{ columnName: 'state', condition: 'neq', value: 'entering' },
		...(isAsWritten ? [equals('state', state)] : []),
		...(workspaceId ? [equals('workspace_id', workspaceId.toLowerCase())] : []),
		...(environment ? [equals('environment', environment)] : []),
		...(dayBefore
			? [{ columnName: 'updatedAt' as const, condition: 'gte' as const, value: dayBefore }]
			: []),
	];
}

function isWanted(row: TableRow, { states, payee, since }: EntryFilter): boolean {
	const wanted = payee?.trim().toLowerCase() ?? '';
	return (
		(states === undefined || states.length === 0 || states.includes(stateOf(row))) &&
		(wanted === '' || row.payee.toLowerCase() === wanted) &&
		(since === undefined || Date.parse(row.updatedAt) >= Date.parse(since))
	);
}

function toRecord(row: TableRow): LedgerRecord {
	return {
		...entryOf(row),
		id: row.id,
		reference: row.reference,
		kind: row.operation,
		environment: row.environment,
		workspaceId: row.workspace_id,
		payee: row.payee,
		amount: row.amount_cents,
		content: row.content,
		isHeld: row.run !== '',
		writtenState: row.writtenState,
		writtenRun: row.writtenRun,
		batch: row.batch,
		execution: row.execution,
		createdAt: row.createdAt,
		updatedAt: row.updatedAt,
	};
}
