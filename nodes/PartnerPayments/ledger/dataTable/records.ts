import { randomUUID } from 'crypto';

import { keyOf, type State } from '../ledger';
import { isUnconfirmed } from './judge';
import { dayBefore, equals, type Condition, type Row, type TableRows } from './rows';

/** What a row says to people: `unconfirmed` also for a funding whose answer is not waited for any more. */
export const shownState = (row: Row): string => (isUnconfirmed(row) ? 'unconfirmed' : row.state);

/** Which rows are wanted; what is left out does not matter. */
export interface RecordFilter {
	/** As `shownState` names it. */
	state?: string | undefined;
	/** Email address or service ID, in any case. */
	payee?: string | undefined;
	/** Changed since then, ISO 8601. */
	since?: string | undefined;
	environment?: string | undefined;
}

/** By what a payout is found, in one workspace. */
export interface RecordKey {
	workspaceId: string;
	reference?: string | undefined;
	payableId?: string | undefined;
}

/** What a person knows of a payout. */
export type Resolution = Extract<State, 'paid' | 'not_paid' | 'void'>;

/** The rows of a ledger table, for people and events. Every method throws a LedgerError as `TableRows` does. */
export class LedgerRecords {
	constructor(private readonly rows: TableRows) {}

	/** Rows, the newest first, up to a limit. */
	async list(filter: RecordFilter, limit: number): Promise<Row[]> {
		const found: Row[] = [];
		for await (const row of this.rows.each(conditionsOf(filter), 'desc')) {
			if (isWanted(row, filter)) found.push(row);
			if (found.length >= limit) break;
		}
		return found;
	}

	/** The rows of a reference as it is written, or of a payable. */
	async find({ workspaceId, reference = '', payableId }: RecordKey): Promise<Row[]> {
		const key = keyOf({ reference, workspaceId, payee: '', amount: 0 });
		const rows = await this.rows.all(
			equals('workspace_id', workspaceId.toLowerCase()),
			payableId === undefined ? equals('key', key) : equals('payable_id', payableId),
		);
		return rows.filter((row) => payableId !== undefined || row.reference === reference);
	}

	/**
	 * Compare-and-set: writes what a person knows, unless the row was changed since it was read.
	 *
	 * @returns the row as it is then; undefined when it was changed
	 */
	async resolve(row: Row, state: Resolution): Promise<Row | undefined> {
		const attempt = randomUUID();
		const unchanged = [
			equals('id', row.id),
			...(row.attempt === '' ? [] : [equals('attempt', row.attempt)]),
			...(row.state === '' ? [] : [equals('state', row.state)]),
		];
		const values = state === 'paid' ? { paid_at: new Date().toISOString() } : {};
		const changed = await this.rows.update(unchanged, { ...values, state, attempt });
		// An update whose first answer was lost says of its repetition that nothing was changed.
		return changed[0] ?? (await this.rows.all(equals('attempt', attempt)))[0];
	}

	/** The deposit of an invoice is linked. */
	async completeFunding(fundingId: string): Promise<void> {
		const awaiting = [equals('funding_id', fundingId), equals('state', 'awaiting_deposit')];
		await this.rows.update(awaiting, { state: 'funded' });
	}

	/** The money of a payable has arrived, whoever funded it; `paidAt` in ISO 8601. */
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

/** What n8n can filter by; `isWanted` does the rest. */
const conditionsOf = ({ since, environment }: RecordFilter): Condition[] => [
	equals('state', 'preparing', 'neq'),
	...(environment ? [equals('environment', environment)] : []),
	...(since ? [equals('updatedAt', dayBefore(since), 'gte')] : []),
];

function isWanted(row: Row, { state, payee, since }: RecordFilter): boolean {
	const wanted = payee?.trim().toLowerCase() ?? '';
	return (
		(state === undefined || state === shownState(row)) &&
		(wanted === '' || row.payee.toLowerCase() === wanted) &&
		(since === undefined || Date.parse(row.updatedAt) >= Date.parse(since))
	);
}
