import { sleep } from 'n8n-workflow';

import type { Found, Verdict, Verdicts } from '../ledger';
import { isFundedById, nameOf, numberKeyOf, type Payment } from '../payment';
import type { LedgerTable } from '../table/ledgerTable';
import { equals, type Condition, type Row } from '../table/rows';
import type { Patience } from '../times';
import { classifyRows } from './classifyRows';
import { contentOf, isPreparing, isSending, isUnfinished } from './rowStates';
import type { OwnRows } from './ownRows';
import { assignRows, earlierPayables, type PaymentRows } from './paymentRows';

/** Whether a row counts for a question about a payment. */
type RowFilter = (payment: Payment, row: Row) => boolean;

/** Reads what the ledger has about payments, and waits for what changes in a moment. */
export class PaymentReader {
	constructor(
		private readonly table: LedgerTable,
		private readonly environment: string,
		private readonly ownRows: OwnRows,
		readonly patience: Patience,
	) {}

	/** The verdicts about payments by their relevant rows, and all rows. Waits for rows that change in a moment. */
	async waitForRows(payments: Payment[], isRelevant: RowFilter): Promise<Found> {
		const patientUntil = Date.now() + this.patience.totalMs;
		for (;;) {
			const rows = await this.table.any(this.searchConditions(payments));
			const ofPayments = await this.withEarlierPayables(payments, rows);
			const relevant = ofPayments.map((ofPayment) => ({
				...ofPayment,
				rows: ofPayment.rows.filter((row) => isRelevant(ofPayment.payment, row)),
			}));
			const mayEndSoon = relevant.some(({ rows }) => rows.some(endsSoon));
			if (!mayEndSoon || Date.now() >= patientUntil) {
				return { verdicts: this.judge(relevant), rows };
			}
			await this.pause();
		}
	}

	async read(payments: Payment[]): Promise<PaymentRows[]> {
		const rows = await this.table.any(this.searchConditions(payments));
		return await this.withEarlierPayables(payments, rows);
	}

	/** (2) The conditions by which rows that may concern payments are read: their invoice numbers, and their payables. */
	searchConditions(payments: Payment[]): Condition[] {
		const conditions: Condition[] = [];
		for (const payment of payments) {
			if (!isFundedById(payment)) {
				conditions.push(equals('number_key', numberKeyOf(payment)));
			}
			const isUncontested = this.ownRows.of(payment)?.isUncontested === true;
			if (payment.payableId !== undefined && !isUncontested) {
				conditions.push(equals('payable_id', payment.payableId));
			}
		}
		return conditions;
	}

	/** (2) The rows that concern each payment: those that were found, and those of payables that it had earlier. */
	async withEarlierPayables(
		payments: Payment[],
		rows: Row[],
		ownClaimId?: string,
	): Promise<PaymentRows[]> {
		// Own rows are live while they are `sending`, and `earlierPayables` looks only at payments without a live row.
		const others = rows.filter(({ claim }) => claim !== ownClaimId);
		const payables = earlierPayables(payments, others, this.environment);
		const more = await this.table.any(payables.map((id) => equals('payable_id', id)));
		const byId = new Map([...rows, ...more].map((row) => [row.id, row]));
		return assignRows(payments, [...byId.values()], this.environment);
	}

	judge(ofPayments: PaymentRows[]): Verdicts {
		const verdicts = new Map<string, Verdict>();
		for (const { payment, rows, besides } of ofPayments) {
			const verdict = classifyRows(payment, rows, this.environment);
			const beside = besides.find(isUnfinished);
			const isNewBeside = verdict.kind === 'new' && beside !== undefined;
			verdicts.set(
				nameOf(payment),
				isNewBeside ? { kind: 'new', beside: contentOf(beside) } : verdict,
			);
		}
		return verdicts;
	}

	/** Pauses at random, so that two runs that met do not meet again. */
	async pause(): Promise<void> {
		await sleep(this.patience.maxPauseMs * (0.1 + 0.9 * Math.random()));
	}
}

/** Whether what another run does with a row is over in a moment: then it is worth waiting for. */
const endsSoon = (row: Row): boolean =>
	isSending(row) || (isPreparing(row) && row.payable_id !== '');
