import { areOfOneCompany } from '../../shared/addresses';
import { DAY_MS } from '../../shared/dates';
import { indexBy } from '../../shared/lists';
import { historyOf } from '../messages';
import { nameOf, type Payment } from '../payment';
import type { LedgerTable } from '../table/ledgerTable';
import { equals, where, type Row } from '../table/rows';
import { contentOf, isLive } from './rowStates';

/** An invoice that comes again from another address comes within so long a time, in milliseconds. */
const COMPARED_MS = 60 * DAY_MS;

/** So many new payees of a run are compared: each amount takes a read, and in a first run all are new. */
const MAX_COMPARED = 10;

/** An amount that went to more payees is a common one, and says nothing by itself. */
const MAX_PAYEES = 3;

/**
 * Why payments to new payees wait, by `nameOf`: as parts of messages. Each names what was paid lately with the same
 * amount, since the payee can be another address of a vendor that was paid for this invoice.
 *
 * @param payments to payees that were never paid
 */
export async function newPayeeReasons(
	table: LedgerTable,
	payments: Payment[],
	environment: string,
): Promise<Map<string, string>> {
	const compared = payments.length <= MAX_COMPARED ? payments : [];
	const amounts = new Set(compared.map(({ amount }) => amount));
	const paid = await Promise.all(
		[...amounts].map(async (amount) => await paidLately(table, amount, environment)),
	);
	const byAmount = indexBy(paid.flat(), ({ amount_cents: cents }) => String(cents));

	const reasons = new Map<string, string>();
	for (const payment of payments) {
		const ofAmount = byAmount.get(String(payment.amount)) ?? [];
		reasons.set(nameOf(payment), reasonOf(payment, tellingRows(payment, ofAmount)));
	}
	return reasons;
}

/** The payments of an amount that were paid lately, or may have been. */
async function paidLately(table: LedgerTable, amount: number, environment: string): Promise<Row[]> {
	const since = new Date(Date.now() - COMPARED_MS).toISOString();
	const rows = await table.all(equals('amount_cents', amount), where('createdAt', 'gte', since));
	return rows.filter((row) => isLive(row) && row.environment === environment);
}

/** Of the payments with the amount of one to a new payee, those that may be the same payment to another address. */
function tellingRows(payment: Payment, rows: Row[]): Row[] {
	const others = rows.filter(({ payee }) => payee !== payment.payee);
	const payees = new Set(others.map(({ payee }) => payee));
	if (payees.size <= MAX_PAYEES) {
		return others;
	}
	return others.filter(({ payee }) => areOfOneCompany(payee, payment.payee));
}

function reasonOf({ payee }: Payment, sameAmount: Row[]): string {
	const reason = `This ledger has never paid ${payee}`;
	if (sameAmount.length === 0) {
		return reason;
	}
	const texts = sameAmount.slice(-MAX_PAYEES).map(sameAmountText);
	return `${reason} (the same amount: ${texts.join(', ')})`;
}

const sameAmountText = (row: Row): string =>
	`"${row.reference}" to ${row.payee}, which ${historyOf(contentOf(row))}`;
