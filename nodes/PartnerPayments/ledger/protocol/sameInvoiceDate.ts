import { groupBy } from '../../shared/lists';
import { keyOf, nameOf, type Payment } from '../payment';
import { nameOfRow, type Row } from '../table/rows';
import { isPaying } from './rowStates';

/*
 * An invoice has a number and a date. One that is entered again under another number is found by its date, whatever
 * that number and the amount are.
 */

/** What payments share that may be one invoice by its date. */
export const SAME_DATE = 'same payee and invoice date';

/** A vendor that was paid several invoices on so many dates bills like that: then the amount must be the same, too. */
const MIN_DATES = 2;

/** A payment of the ledger or of the run, with the date of its invoice. */
export type Dated = Pick<Row, 'key' | 'payee' | 'amount_cents' | 'invoice_date'>;

/**
 * Those of other payments of a payment's vendor whose invoice has its date.
 *
 * @param ofVendor all rows of the vendor, also those that do not count
 */
export function findBySameDate<One extends Dated>(
	payment: Payment,
	others: One[],
	ofVendor: Row[],
): One[] {
	const key = keyOf(payment);
	const { invoiceDate: date } = payment;
	if (date === undefined) {
		return [];
	}

	// Of another payment, too, the row that was held can be the only one with a date.
	const ofDate = [...ofVendor, ...others].filter((one) => one.invoice_date === date);
	const names = new Set(ofDate.map(nameOfRow));
	const found = others.filter((other) => other.key !== key && names.has(nameOfRow(other)));

	if (found.length === 0 || !oftenBillsTwiceADay(ofVendor)) {
		return found;
	}
	return found.filter((other) => other.amount_cents === payment.amount);
}

/**
 * A payment with the date that it had when it was held or prepared, if it has none: after a yes, another node may pay it
 * without one.
 *
 * @param ofVendor all rows of the vendor
 */
export function withDateOfRows(payment: Payment, ofVendor: Row[]): Payment {
	if (payment.invoiceDate !== undefined) {
		return payment;
	}
	const key = keyOf(payment);
	const dated = ofVendor.filter((row) => row.invoice_date !== '' && row.key === key);
	const own = dated.find((row) => nameOfRow(row) === nameOf(payment));
	return { ...payment, invoiceDate: own?.invoice_date };
}

/** Whether a vendor was paid, more than once, for several invoices of one date. */
function oftenBillsTwiceADay(ofVendor: Row[]): boolean {
	const paid = ofVendor.filter((row) => isPaying(row) && row.invoice_date !== '');
	const byDate = groupBy(paid, (row) => row.invoice_date);
	const withSeveral = byDate.filter((rows) => new Set(rows.map(({ key }) => key)).size > 1);
	return withSeveral.length >= MIN_DATES;
}
