import { keyOf, type State } from '../ledger';
import { isSetAside, isUnconfirmed } from './classifyRows';
import type { LedgerTable } from '../table/ledgerTable';
import { CONFIRMED, dayBefore, equals, where, type Row, type RowValues } from '../table/rows';
import { foldAddress } from '../../shared/addresses';
import type { Step } from '../table/tableStore';

/** The state of a row as people see it. */
export const shownState = (row: Row): string => (isUnconfirmed(row) ? 'unconfirmed' : row.state);

/** Which rows are wanted: `states` as from `shownState`, `payee` in any case, made from `since` until `until` (ISO 8601). */
export type RecordFilter = Partial<
	Record<
		'payee' | 'since' | 'until' | 'environment' | 'workspaceId' | 'reference',
		string | undefined
	>
> & { states?: Array<string | undefined> | undefined };

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

/** A ledger table for people and events. Every method throws a LedgerError as `LedgerTable` does. */
export class LedgerRecords {
	constructor(private readonly table: LedgerTable) {}

	async list(filter: RecordFilter, limit: number): Promise<Row[]> {
		const { states, since, until, environment, workspaceId, reference } = filter;
		const payee = foldAddress(filter.payee?.trim() ?? '');
		const isWanted = (row: Row): boolean =>
			(!states || states.includes(shownState(row))) &&
			(payee === '' || payee === foldAddress(row.payee)) &&
			(!since || Date.parse(row.createdAt) >= Date.parse(since)) &&
			(!until || Date.parse(row.createdAt) < Date.parse(until));
		const conditions = [
			where('state', 'neq', 'preparing'),
			where('state', 'neq', CONFIRMED),
			...(environment ? [equals('environment', environment)] : []),
			...(workspaceId ? [equals('workspace_id', workspaceId.toLowerCase())] : []),
			...(reference ? [equals('reference', reference)] : []),
			...(since ? [where('createdAt', 'gte', dayBefore(since))] : []),
		];
		const found: Row[] = [];
		for await (const row of this.table.each(conditions, 'descending')) {
			if (isWanted(row)) {
				found.push(row);
			}
			if (found.length >= limit) {
				break;
			}
		}
		return found;
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
	 * Compare-and-set: returns the resolved row; undefined when the row has changed since it was read. A row
	 * that was sent keeps its token, so that an answer to its funding that comes later is still written down.
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
			// Nothing was sent for it, so it is no part of a funding with the rows of its token.
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

	/** The rows of payables. */
	async ofPayables(environment: string, payableIds: string[]): Promise<Row[]> {
		const rows = await this.table.any(payableIds.map((id) => equals('payable_id', id)));
		return rows.filter((row) => row.environment === environment);
	}

	/** Notes that the deposit of an invoice was linked. */
	async completeFunding(environment: string, fundingId: string): Promise<void> {
		const awaiting = [
			equals('environment', environment),
			equals('funding_id', fundingId),
			equals('state', 'awaiting_deposit'),
		];
		await this.table.changeDurably([
			{ kind: 'update', all: awaiting, values: { state: 'funded' } },
		]);
	}

	/** Marks payables of a workspace as paid; returns the rows of these, and of others that are asked for. */
	async markPaid(
		environment: string,
		workspaceId: string,
		paid: PaidPayable[],
		others: string[] = [],
	): Promise<Row[]> {
		const steps = paid.map(({ payableId, paidAt }): Step => ({
			kind: 'update',
			all: [
				equals('payable_id', payableId),
				equals('environment', environment),
				equals('workspace_id', workspaceId.toLowerCase()),
				where('state', 'neq', 'paid'),
			],
			values: { state: 'paid', paid_at: paidAt },
		}));
		const payableIds = new Set([...paid.map(({ payableId }) => payableId), ...others]);
		const conditions = [...payableIds].map((payableId) => equals('payable_id', payableId));
		const rows = await this.table.changeAndFind(steps, conditions);
		return rows.filter(
			(row) => row.environment === environment && row.workspace_id === workspaceId.toLowerCase(),
		);
	}

	/** How many payments the table knows, and since when (ISO 8601). */
	async summary(): Promise<{ payments: number; since: string | undefined }> {
		const keys = new Set<string>();
		let since: string | undefined;
		const payments = [where('state', 'neq', 'preparing'), where('state', 'neq', CONFIRMED)];
		for await (const { key, createdAt } of this.table.each(payments, 'ascending')) {
			keys.add(key);
			since ??= createdAt;
		}
		return { payments: keys.size, since };
	}
}
