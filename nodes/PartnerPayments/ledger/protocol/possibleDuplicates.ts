import { areOfOneCompany } from '../../shared/addresses';
import { indexBy, type NonEmpty } from '../../shared/lists';
import { compareKeys, differentInvoiceText, isToldApart, keyOf, type Payment } from '../payment';
import { nameOfRow, type Row } from '../table/rows';
import { findOutOfOrder, MAX_COMPARED } from './invoiceOrder';
import { InvoiceRows, type PossibleDuplicate } from './invoiceRows';
import {
	areKeysToldApart,
	type Compared,
	LikenessIndex,
	likenessOf,
	type RowAlike,
} from './likeness';
import { isLive, isSetAside, isUnconfirmed, wasSentInVain } from './rowStates';
import { type Dated, findBySameDate, SAME_DATE, withDateOfRows } from './sameInvoiceDate';
import { findByHistory, findBySlip, MISTYPED, type RepeatedRow } from './vendorHistory';
import { findMistyped } from './vendorNumbers';

/** A payment of the run, in the form in which payments are compared. */
interface PaymentInRun extends Compared, Dated {
	payment: Payment;
}

/** So many are named: with a line for each, a person can pass all of them at once. */
const MAX_FOUND = 10;

/** Finds what payments of a run may repeat: in the ledger since a time or at any age, and in the run itself. */
export class DuplicateFinder {
	private readonly rows: LikenessIndex<Row>;
	private readonly invoices: InvoiceRows;
	/** From the oldest one on. */
	private readonly rowsByPayee: Map<string, NonEmpty<Row>>;
	private readonly inRun: LikenessIndex<PaymentInRun>;
	private readonly inRunByPayee: Map<string, NonEmpty<PaymentInRun>>;
	/** The payments of the run with their dates, also those that the ledger has. */
	private readonly dated: Map<Payment, Payment>;
	private readonly positions: Map<Payment, number>;
	/** How far back a payment is compared by payee and amount, in milliseconds. */
	private readonly windowMs: number;

	/**
	 * @param rows of the payees and of the numbers of the payments, in this environment or in their workspaces
	 * @param payments all of the run, in their order
	 * @param since ISO 8601
	 */
	constructor(rows: Row[], payments: Payment[], since: string) {
		this.windowMs = Date.now() - Date.parse(since);
		this.rowsByPayee = indexBy([...rows].sort(byAge), ({ payee }) => payee);
		this.dated = new Map(payments.map((payment) => [payment, this.withDate(payment)]));
		const inRun = [...this.dated.values()].map(inRunOf);
		this.invoices = new InvoiceRows(rows, new Set(inRun.map(nameOfRow)));
		const earliest = payments.reduce(
			(time, payment) => Math.min(time, this.sinceOf(payment)),
			Date.parse(since),
		);
		const recent = rows.filter(({ createdAt }) => Date.parse(createdAt) >= earliest);
		this.rows = new LikenessIndex(rows, recent);
		this.inRun = new LikenessIndex(inRun, inRun);
		this.inRunByPayee = indexBy(inRun, ({ payee }) => payee);
		this.positions = new Map(inRun.map(({ payment }, index) => [payment, index]));
	}

	/**
	 * The payments that a payment may repeat, each once. What may have been paid comes first.
	 *
	 * @param ofRun one of the payments of the run
	 */
	find(ofRun: Payment): PossibleDuplicate[] {
		const payment = this.dated.get(ofRun) ?? ofRun;
		const found = new Map<string, PossibleDuplicate>();
		const outOfOrder = findOutOfOrder(inRunOf(payment), this.lastBefore(payment));
		const rows = this.rowsRepeated(payment, outOfOrder.length === 0).sort(
			(one, other) => orderOf(one) - orderOf(other),
		);

		for (const { row, likeness } of rows) {
			const isNew = !found.has(nameOfRow(row)) && found.size < MAX_FOUND;
			if (isNew && (isUnconfirmed(row) || !this.invoices.isToldApartFrom(payment, row))) {
				found.set(nameOfRow(row), this.invoices.duplicateOf(payment, row, likeness));
			}
		}
		for (const { other, likeness } of this.othersThatCount(payment, outOfOrder)) {
			if (found.size >= MAX_FOUND) {
				break;
			}
			const isNew = !found.has(nameOfRow(other));
			if (isNew && !areToldApartInRun(payment, other.payment)) {
				found.set(nameOfRow(other), duplicateInRun(payment, other, likeness));
			}
		}
		return [...found.values()];
	}

	/** The first row of a payment that a person has resolved as not paid: the payment is compared as of its time. */
	findResolved(payment: Payment): Row | undefined {
		const resolved = this.waitedOf(payment).filter(({ state }) => state === 'not_paid');
		return resolved.sort(byAge)[0];
	}

	private withDate(payment: Payment): Payment {
		return withDateOfRows(payment, this.rowsByPayee.get(payment.payee) ?? []);
	}

	/**
	 * The rows that a payment may repeat. Those whose date or number is alike come first: they are the likeliest.
	 *
	 * @param isInOrder whether its number and date fit those of the run
	 */
	private rowsRepeated(payment: Payment, isInOrder: boolean): RepeatedRow[] {
		const ofVendor = this.rowsByPayee.get(payment.payee) ?? [];
		const counting = ofVendor.filter((row) => this.counts(payment, row));
		const times = { time: this.firstTimeOf(payment), since: this.sinceOf(payment) };

		const alike = this.rowsThatCount(payment);
		const isByNumber = ({ likeness }: RowAlike): boolean => likeness !== 'same payee and amount';
		const ofDate = findBySameDate(payment, counting, ofVendor);
		return [
			...ofDate.map((row) => ({ row, likeness: SAME_DATE })),
			...alike.filter(isByNumber),
			...findBySlip(payment, counting),
			...alike,
			...findByHistory(payment, counting, times, isInOrder),
		];
	}

	/** The rows that are like a payment and count. */
	private rowsThatCount(payment: Payment): RowAlike[] {
		const since = this.sinceOf(payment);
		const alike = this.rowsAlike(payment);
		return alike.filter(({ row, likeness }) => {
			const isRecent = Date.parse(row.createdAt) >= since;
			const isInTime = isRecent || this.countsAtAnyAge(payment, { row, likeness }, alike);
			return isInTime && this.counts(payment, row);
		});
	}

	/**
	 * The payments of the run that are like a payment and come before it, as far as the ledger says nothing of them. One
	 * by one: to compare all of a long run with each other takes a minute, and ten are enough.
	 *
	 * @param outOfOrder those that its number and date do not fit
	 */
	private *othersThatCount(payment: Payment, outOfOrder: OtherAlike[]): Generator<OtherAlike> {
		for (const other of this.inRun.candidates(payment)) {
			const likeness = this.comesBefore(other, payment) ? likenessOf(payment, other) : undefined;
			if (likeness !== undefined) {
				yield { other, likeness };
			}
		}

		const ofVendor = this.inRunByPayee.get(payment.payee) ?? [];
		const before = ofVendor.filter((other) => this.comesBefore(other, payment));
		const rowsOfVendor = this.rowsByPayee.get(payment.payee) ?? [];
		for (const other of findBySameDate(payment, before, rowsOfVendor)) {
			yield { other, likeness: SAME_DATE };
		}
		for (const other of findMistyped(payment, before)) {
			yield { other, likeness: MISTYPED };
		}
		yield* outOfOrder;
	}

	/**
	 * The last payments of the run to a payment's vendor that come before it, as far as the ledger says nothing of them. A
	 * long run may have thousands, so they are looked for from the payment on, backwards.
	 */
	private lastBefore(payment: Payment): PaymentInRun[] {
		const ofVendor = this.inRunByPayee.get(payment.payee) ?? [];
		const own = ofVendor.findIndex((one) => one.payment === payment);
		const last: PaymentInRun[] = [];
		for (let index = own - 1; index >= 0 && last.length < MAX_COMPARED; index -= 1) {
			const other = ofVendor[index];
			if (other !== undefined && this.comesBefore(other, payment)) {
				last.push(other);
			}
		}
		return last.reverse();
	}

	/** Whether another payment of the run comes before a payment, and the ledger says nothing of it. */
	private comesBefore(other: PaymentInRun, payment: Payment): boolean {
		const isFirst = this.positionOf(other.payment) < this.positionOf(payment);
		// What the ledger has of a payment says more of it than the run, also where a person has told it apart.
		return isFirst && !this.isInLedger(other);
	}

	/** Whether the ledger has a payment of the run as one that was paid, may be, or waits. */
	private isInLedger(payment: PaymentInRun): boolean {
		const ofPayment = this.invoices
			.of(payment.key)
			.filter((row) => nameOfRow(row) === nameOfRow(payment));
		return ofPayment.some((row) => isLive(row) || isSetAside(row));
	}

	/** The rows that are like a payment. */
	private rowsAlike(payment: Payment): RowAlike[] {
		const alike: RowAlike[] = [];
		for (const row of this.rows.candidates(payment)) {
			const likeness = likenessOf(payment, row);
			if (likeness !== undefined) {
				alike.push({ row, likeness });
			}
		}
		return alike;
	}

	/** The time from which payments of the same payee and amount count, in milliseconds. */
	private sinceOf(payment: Payment): number {
		return this.firstTimeOf(payment) - this.windowMs;
	}

	/**
	 * When a payment was first made, in milliseconds: now, or when it was held. What was held waits for a person, or they
	 * have resolved it as not paid. No later run pays it only because time has passed.
	 */
	private firstTimeOf(payment: Payment): number {
		const times = this.waitedOf(payment).map(({ createdAt }) => Date.parse(createdAt));
		return Math.min(Date.now(), ...times);
	}

	/** The rows of a payment that was held, or that a person has resolved as not paid. */
	private waitedOf(payment: Payment): Row[] {
		const ofInvoice = this.invoices.of(keyOf(payment));
		return ofInvoice.filter(
			({ state, payee }) => (state === 'held' || state === 'not_paid') && payee === payment.payee,
		);
	}

	/**
	 * Whether a row counts however old it is: if it is like a payment by their numbers, and by their vendor or their
	 * amount. Of one vendor and one amount, it counts if nothing in the two references tells them apart, or if both may
	 * be the rest of one invoice: INV-7-2 and INV-7-3 beside INV-7.
	 *
	 * @param alike all rows that are like the payment
	 */
	private countsAtAnyAge(
		payment: Payment,
		{ row, likeness }: RowAlike,
		alike: RowAlike[],
	): boolean {
		switch (likeness) {
			case 'same invoice number':
			case 'almost the same number':
				return isOfVendor(payment, row) || payment.amount === row.amount_cents;
			case 'same payee and amount':
				return (
					!areKeysToldApart(keyOf(payment), row.key) ||
					alike.some((other) => isAlsoRestOf(other, row))
				);
			case 'its amount and number, swapped':
				return false;
		}
	}

	/** Whether a row that is like a payment counts. */
	private counts(payment: Payment, row: Row): boolean {
		// Also a void one: a person may have paid it by hand.
		const mayBePaid = isLive(row);
		const waitsLonger = isSetAside(row) && this.otherWaitedFirst(payment, row);
		return mayBePaid || waitsLonger || wasSentInVain(row);
	}

	/**
	 * Whether another payment waited before this one did. The first of two that wait is not held for the other one,
	 * so that a person can agree to it.
	 */
	private otherWaitedFirst(payment: Payment, { id }: Row): boolean {
		const ofInvoice = this.invoices.of(keyOf(payment));
		return !ofInvoice.some((row) => isSetAside(row) && row.payee === payment.payee && row.id < id);
	}

	private positionOf(payment: Payment): number {
		return this.positions.get(payment) ?? 0;
	}
}

/** A payment of the run that is like a payment. */
interface OtherAlike {
	other: PaymentInRun;
	likeness: string;
}

/** Whether a payment that has almost the number of an invoice that was paid, or may be, shares that with a row. */
const isAlsoRestOf = ({ row: invoice, likeness }: RowAlike, row: Row): boolean =>
	likeness === 'almost the same number' &&
	isLive(invoice) &&
	compareKeys(invoice.key, row.key) === 'extended';

/** Whether a person has told two payments of a run apart, with the line of either one. */
const areToldApartInRun = (one: Payment, other: Payment): boolean =>
	isToldApart(one, other) || isToldApart(other, one);

const inRunOf = (payment: Payment): PaymentInRun => ({
	key: keyOf(payment),
	reference: payment.reference,
	payee: payment.payee,
	amount_cents: payment.amount,
	invoice_date: payment.invoiceDate ?? '',
	payment,
});

/** What may have been paid comes first: it tells most. */
const orderOf = ({ row }: RepeatedRow): number => (isLive(row) ? 0 : 1);

/** Sorts rows from the oldest one on. */
const byAge = (one: Row, other: Row): number =>
	Date.parse(one.createdAt) - Date.parse(other.createdAt);

/** Whether a row was paid to the payee of a payment, or to another address of the same company. */
const isOfVendor = (payment: Payment, row: Row): boolean =>
	payment.payee === row.payee || areOfOneCompany(payment.payee, row.payee);

function duplicateInRun(
	payment: Payment,
	other: PaymentInRun,
	likeness: string,
): PossibleDuplicate {
	return {
		text: `"${other.reference}" to ${other.payee}, which is in this run: ${likeness}`,
		apart: { kind: 'line', line: differentInvoiceText(payment, other.payment) },
		mayBePaid: true,
		isResolved: false,
	};
}
