import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import type { PossibleDuplicate } from '../../../nodes/PartnerPayments/ledger/protocol/invoiceRows';
import { DuplicateFinder } from '../../../nodes/PartnerPayments/ledger/protocol/possibleDuplicates';
import { rowOf, toRow, type Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { DAY_MS } from '../../../nodes/PartnerPayments/shared/dates';

export const NOW = Date.parse('2026-05-20T12:00:00.000Z');
/** Payments of the same payee and amount count for so many days. */
export const DAYS = 7;

export const timeAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

/** A row of the ledger: of an earlier run, which has paid it two days ago, unless told otherwise. */
export function rowFor(payment: Payment, changes: Partial<Row> = {}): Row {
	const run = { state: 'funded', claim: 'c-1', execution: '9', environment: 'sandbox' } as const;
	const times = { id: 1, createdAt: timeAgo(2), updatedAt: timeAgo(2) };
	return toRow({ ...rowOf(payment, run), ...times, ...changes });
}

/** A row that waits for a person: no funding was sent for it. */
export const waitingFor = (payment: Payment, changes: Partial<Row> = {}): Row =>
	rowFor(payment, { state: 'held', claim: '', ...changes });

/** What a payment may repeat, in a run of others and of it. */
export function find(payment: Payment, rows: Row[], others: Payment[] = []): PossibleDuplicate[] {
	return findIn([...others, payment], payment, rows);
}

export const findIn = (payments: Payment[], payment: Payment, rows: Row[]): PossibleDuplicate[] =>
	new DuplicateFinder(rows, payments, timeAgo(DAYS)).find(payment);

/** The references of what was found, in its order. */
export const referencesOf = (found: PossibleDuplicate[]): string[] =>
	found.map(({ text }) => /^"(.+?)" to /.exec(text)?.[1] ?? text);
