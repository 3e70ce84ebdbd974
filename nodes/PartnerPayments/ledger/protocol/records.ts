import type { State } from '../states';
import { keyOf } from '../payment';
import { attentionOf, mayNeedAttention } from './attention';
import { isLive, isPaying, isSetAside, shownState } from './rowStates';
import { DepositLink, type LinkOrder } from './depositLink';
import type { LedgerTable } from '../table/ledgerTable';
import {
	CONFIRMED,
	dayBefore,
	equals,
	nameOfRow,
	where,
	type Condition,
	type Row,
	type RowValues,
} from '../table/rows';
import { foldAddress } from '../../shared/addresses';
import { chunk, indexBy } from '../../shared/lists';
import type { Step } from '../table/tableStore';

/** Which rows are wanted by how far they are. */
export type Wanted =
	| { kind: 'all' }
	/** As from `shownState`. */
	| { kind: 'states'; states: string[] }
	/** As from `attentionOf`. */
	| { kind: 'needsAttention' };

/** Which rows are wanted: `payee` in any case, made from `since` until `until` (ISO 8601). */
export type RecordFilter = Partial<
	Record<
		'payee' | 'since' | 'until' | 'environment' | 'workspaceId' | 'reference',
		string | undefined
	>
> & { wanted?: Wanted };

/** In which order rows are listed. The newest of those that are alike come first. */
export const RECORD_ORDERS = ['newest', 'oldest', 'amount', 'payee'] as const;
export type RecordOrder = (typeof RECORD_ORDERS)[number];

/** Which payment is meant. The service gives IDs within an environment. */
export interface RecordKey {
	environment: string;
	workspaceId: string;
	reference?: string | undefined;
	payableId?: string | undefined;
}

export type Resolution = Extract<State, 'paid' | 'not_paid' | 'void'>;

/** A payable that an event says is paid; `paidAt` in ISO 8601. */
export interface PaidPayable {
	payableId: string;
	paidAt: string;
}

/** How many payments a table knows that were or may have been paid, and that were not; since when (ISO 8601). */
export interface LedgerSummary {
	sent: number;
	notSent: number;
	since: string | undefined;
}

/** The conditions of rows that people see. Rows that are only being prepared, or confirm the table, are left out. */
const IS_PAYMENT = [where('state', 'neq', 'preparing'), where('state', 'neq', CONFIRMED)];

/** How many rows are kept beside the first ones until they are compared with these. */
const MAX_UNSORTED = 1000;

/** Up to so many payables are marked as paid without reading first: each takes n8n as long as a read. */
const MAX_BLIND_UPDATES = 5;

/** An update of more rows takes more conditions than a database compares. */
const MAX_ROWS_OF_UPDATE = 500;

type Compare = (one: Row, other: Row) => number;

/** How rows are compared; undefined for the order in which the table has them. */
const COMPARISONS: Record<RecordOrder, Compare | undefined> = {
	newest: undefined,
	oldest: undefined,
	// What a person has edited into no amount comes last.
	amount: (one, other) => (other.amount_cents ?? -1) - (one.amount_cents ?? -1),
	payee: (one, other) => compareTexts(foldAddress(one.payee), foldAddress(other.payee)),
};

/** A ledger table for people and events. Every method throws a LedgerError as `LedgerTable` does. */
export class LedgerRecords {
	constructor(private readonly table: LedgerTable) {}

	/** The first rows in an order, at most `limit`. Reads a page at a time, and keeps no more than it needs. */
	async list(filter: RecordFilter, limit: number, order: RecordOrder = 'newest'): Promise<Row[]> {
		const direction = order === 'oldest' ? 'ascending' : 'descending';
		const rows = this.wantedRows(filter, direction);
		const compare = COMPARISONS[order];
		const first =
			compare === undefined ? await firstOf(rows, limit) : await firstSorted(rows, limit, compare);
		return filter.wanted?.kind === 'needsAttention' ? await this.withoutSent(first) : first;
	}

	/**
	 * Rows without those that waited and whose payment was sent since by another row. To resolve such a one as not paid
	 * would resolve the payment that was sent.
	 */
	private async withoutSent(rows: Row[]): Promise<Row[]> {
		const waiting = rows.filter(isSetAside);
		const keys = new Set(waiting.map(({ key }) => key));
		const ofInvoices = await this.table.any([...keys].map((key) => equals('key', key)));
		const sent = new Set(ofInvoices.filter(isLive).map(nameOfRow));
		return rows.filter((row) => !isSetAside(row) || !sent.has(nameOfRow(row)));
	}

	/** The rows of a reference in any spelling, which several vendors may have, or of a payable. */
	async find({ environment, workspaceId, reference = '', payableId }: RecordKey): Promise<Row[]> {
		const key = keyOf({ reference, workspaceId, payee: '', amount: 0 });
		return await this.table.all(
			equals('environment', environment),
			equals('workspace_id', workspaceId.toLowerCase()),
			payableId === undefined ? equals('key', key) : equals('payable_id', payableId),
		);
	}

	/**
	 * (9) Compare-and-set: returns the resolved row; undefined when the row has changed since it was read. A row
	 * that was sent keeps its claim ID, so that an answer to its funding that comes later is still written down.
	 */
	async resolve(row: Row, state: Resolution): Promise<Row | undefined> {
		const unchanged = [equals('id', row.id)];
		if (row.claim !== '') {
			unchanged.push(equals('claim', row.claim));
		}
		if (row.state !== '') {
			unchanged.push(equals('state', row.state));
		}
		const values: Partial<RowValues> = { state };
		if (state === 'paid') {
			values.paid_at = new Date().toISOString();
		}
		if (isSetAside(row)) {
			// Nothing was sent for it, so it is no part of a funding with the rows of its claim.
			values.claim = '';
		}
		if (state === 'not_paid' && row.funding_id !== '') {
			// Its funding stays known, so that no deposit is linked to it. No other answer is awaited.
			values.claim = '';
		}
		await this.table.change([{ kind: 'update', all: unchanged, values }]);
		const [resolved] = await this.table.all(equals('id', row.id));
		return resolved?.state === state ? resolved : undefined;
	}

	/** The rows that were sent together with a row, in one funding. */
	async sentWith({ environment, claim }: Row): Promise<Row[]> {
		return await this.table.all(equals('environment', environment), equals('claim', claim));
	}

	/** The rows of a funding. */
	async ofFunding(environment: string, fundingId: string): Promise<Row[]> {
		return await this.table.all(
			equals('environment', environment),
			equals('funding_id', fundingId),
		);
	}

	/** The link of a deposit to a funding, which has not begun. */
	depositLink(order: LinkOrder): DepositLink {
		return new DepositLink(this.table, order);
	}

	/** Marks payables of a workspace as paid; returns the rows of these, and of others that are asked for. */
	async markPaid(
		environment: string,
		workspaceId: string,
		paid: PaidPayable[],
		others: string[] = [],
	): Promise<Row[]> {
		const workspace = { environment, workspaceId: workspaceId.toLowerCase() };
		const steps =
			paid.length <= MAX_BLIND_UPDATES
				? paid.map((payable) => markingStep(workspace, payable))
				: await this.markingSteps(workspace, paid);

		const payableIds = new Set([...paid.map(({ payableId }) => payableId), ...others]);
		const rows = await this.table.changeAndFind(steps, haveAnyOf([...payableIds]));
		return rows.filter((row) => isIn(workspace, row));
	}

	/** Reads which rows have to be marked as paid, and marks those of the same time at once. */
	private async markingSteps(workspace: WorkspaceOfRows, paid: PaidPayable[]): Promise<Step[]> {
		const paidAtOf = new Map(paid.map(({ payableId, paidAt }) => [payableId, paidAt]));
		const found = await this.table.any(haveAnyOf([...paidAtOf.keys()]));

		const unpaid = found.filter((row) => isIn(workspace, row) && row.state !== 'paid');
		const byTime = indexBy(unpaid, (row) => paidAtOf.get(row.payable_id) ?? '');
		const steps: Step[] = [];
		for (const [paidAt, rows] of byTime) {
			for (const some of chunk(rows, MAX_ROWS_OF_UPDATE)) {
				const ids = some.map(({ id }) => id);
				steps.push({ kind: 'updateByIds', ids, values: { state: 'paid', paid_at: paidAt } });
			}
		}
		return steps;
	}

	/** Counts the payments that the table knows. Rows with the same vendor, amount and reference are one payment. */
	async summary(): Promise<LedgerSummary> {
		const isSentOf = new Map<string, boolean>();
		let since: string | undefined;
		for await (const row of this.table.each(IS_PAYMENT, 'ascending')) {
			const name = nameOfRow(row);
			const wasSent = isSentOf.get(name) === true;
			isSentOf.set(name, wasSent || isPaying(row));
			since ??= row.createdAt;
		}

		const sent = [...isSentOf.values()].filter(Boolean).length;
		return { sent, notSent: isSentOf.size - sent, since };
	}

	private async *wantedRows(
		filter: RecordFilter,
		direction: 'ascending' | 'descending',
	): AsyncGenerator<Row, void> {
		const isWanted = matcherOf(filter);
		for await (const row of this.table.each(conditionsOf(filter), direction)) {
			if (isWanted(row)) {
				yield row;
			}
		}
	}
}

/** A workspace (lower case), and its environment. */
interface WorkspaceOfRows {
	environment: string;
	workspaceId: string;
}

/** Marks the rows of one payable as paid, unless they are. */
const markingStep = (
	{ environment, workspaceId }: WorkspaceOfRows,
	{ payableId, paidAt }: PaidPayable,
): Step => ({
	kind: 'update',
	all: [
		equals('payable_id', payableId),
		equals('environment', environment),
		equals('workspace_id', workspaceId),
		where('state', 'neq', 'paid'),
	],
	values: { state: 'paid', paid_at: paidAt },
});

const isIn = ({ environment, workspaceId }: WorkspaceOfRows, row: Row): boolean =>
	row.environment === environment && row.workspace_id === workspaceId;

/** The conditions of rows with these payables, of which each row meets one. */
const haveAnyOf = (payableIds: string[]): Condition[] =>
	payableIds.map((payableId) => equals('payable_id', payableId));

/** What the table is asked for. Each row that is wanted meets these, and some others do, too. */
function conditionsOf(filter: RecordFilter): Condition[] {
	const { wanted, since, environment, workspaceId, reference } = filter;
	const conditions = [...IS_PAYMENT];
	if (wanted?.kind === 'needsAttention') {
		conditions.push(...mayNeedAttention());
	}
	if (environment) {
		conditions.push(equals('environment', environment));
	}
	if (workspaceId) {
		conditions.push(equals('workspace_id', workspaceId.toLowerCase()));
	}
	if (reference) {
		conditions.push(equals('reference', reference));
	}
	if (since) {
		conditions.push(where('createdAt', 'gte', dayBefore(since)));
	}
	return conditions;
}

/** Tells of rows that were read whether they are wanted. */
function matcherOf({ wanted, payee: name, since, until }: RecordFilter): (row: Row) => boolean {
	const payee = foldAddress(name?.trim() ?? '');
	return (row) =>
		isOfKind(row, wanted) &&
		(payee === '' || payee === foldAddress(row.payee)) &&
		(!since || Date.parse(row.createdAt) >= Date.parse(since)) &&
		(!until || Date.parse(row.createdAt) < Date.parse(until));
}

function isOfKind(row: Row, wanted: Wanted = { kind: 'all' }): boolean {
	switch (wanted.kind) {
		case 'all':
			return true;
		case 'states':
			return wanted.states.includes(shownState(row));
		case 'needsAttention':
			return attentionOf(row) !== undefined;
	}
}

async function firstOf(rows: AsyncIterable<Row>, limit: number): Promise<Row[]> {
	const first: Row[] = [];
	for await (const row of rows) {
		first.push(row);
		if (first.length >= limit) {
			break;
		}
	}
	return first;
}

async function firstSorted(
	rows: AsyncIterable<Row>,
	limit: number,
	compare: Compare,
): Promise<Row[]> {
	let first: Row[] = [];
	for await (const row of rows) {
		first.push(row);
		if (first.length >= limit + MAX_UNSORTED) {
			first = first.sort(compare).slice(0, limit);
		}
	}
	return first.sort(compare).slice(0, limit);
}

function compareTexts(one: string, other: string): number {
	if (one === other) {
		return 0;
	}
	return one < other ? -1 : 1;
}
