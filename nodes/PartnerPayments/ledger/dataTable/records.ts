import { randomUUID } from 'crypto';

import { keyOf, type State } from '../ledger';
import { isUnconfirmed } from './judge';
import { dayBefore, equals, type Row, type TableRows } from './rows';

/** The state of a row as people see it. */
export const shownState = (row: Row): string => (isUnconfirmed(row) ? 'unconfirmed' : row.state);

/** Which rows are wanted: `states` as from `shownState`, `payee` in any case, made from `since` until `until` (ISO 8601). */
export type RecordFilter = Partial<
	Record<'payee' | 'since' | 'until' | 'environment' | 'reference', string | undefined>
> & { states?: Array<string | undefined> | undefined };

export interface RecordKey {
	workspaceId: string;
	reference?: string | undefined;
	payableId?: string | undefined;
}

export type Resolution = Extract<State, 'paid' | 'not_paid' | 'void'>;

/** A ledger table for people and events. Every method throws a LedgerError as `TableRows` does. */
export class LedgerRecords {
	constructor(private readonly rows: TableRows) {}

	async list(filter: RecordFilter, limit: number): Promise<Row[]> {
		const { states, since, until, environment, reference } = filter;
		const payee = filter.payee?.trim().toLowerCase();
		const isWanted = (row: Row): boolean =>
			(!states || states.includes(shownState(row))) &&
			(!payee || payee === row.payee.toLowerCase()) &&
			(!since || Date.parse(row.createdAt) >= Date.parse(since)) &&
			(!until || Date.parse(row.createdAt) < Date.parse(until));
		const conditions = [
			equals('state', 'preparing', 'neq'),
			...(environment ? [equals('environment', environment)] : []),
			...(reference ? [equals('reference', reference)] : []),
			...(since ? [equals('createdAt', dayBefore(since), 'gte')] : []),
		];
		const found: Row[] = [];
		for await (const row of this.rows.each(conditions, 'desc')) {
			if (isWanted(row)) found.push(row);
			if (found.length >= limit) break;
		}
		return found;
	}

	async find({ workspaceId, reference = '', payableId }: RecordKey): Promise<Row[]> {
		const key = keyOf({ reference, workspaceId, payee: '', amount: 0 });
		const rows = await this.rows.all(
			equals('workspace_id', workspaceId.toLowerCase()),
			payableId === undefined ? equals('key', key) : equals('payable_id', payableId),
		);
		return rows.filter((row) => payableId !== undefined || row.reference === reference);
	}

	/** Compare-and-set: returns the resolved row; undefined when the row has changed since it was read. */
	async resolve(row: Row, state: Resolution): Promise<Row | undefined> {
		const attempt = randomUUID();
		const unchanged = [
			equals('id', row.id),
			...(row.attempt === '' ? [] : [equals('attempt', row.attempt)]),
			...(row.state === '' ? [] : [equals('state', row.state)]),
		];
		const values = state === 'paid' ? { paid_at: new Date().toISOString() } : {};
		await this.rows.update(unchanged, { ...values, state, attempt });
		return (await this.rows.all(equals('attempt', attempt)))[0];
	}

	async completeFunding(fundingId: string): Promise<void> {
		const awaiting = [equals('funding_id', fundingId), equals('state', 'awaiting_deposit')];
		await this.rows.update(awaiting, { state: 'funded' });
	}

	/** `paidAt` in ISO 8601. */
	async markPaid(payableId: string, workspaceId: string, paidAt: string): Promise<void> {
		const unpaid = [
			equals('payable_id', payableId),
			equals('workspace_id', workspaceId.toLowerCase()),
			equals('state', 'paid', 'neq'),
			equals('state', 'void', 'neq'),
		];
		await this.rows.update(unpaid, { state: 'paid', paid_at: paidAt });
	}
}
