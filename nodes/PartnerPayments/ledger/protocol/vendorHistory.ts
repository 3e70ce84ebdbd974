import { isFarAbove, isUnlikeAll } from '../../shared/numberSeries';
import { keyOf, type Payment } from '../payment';
import type { Row } from '../table/rows';
import { findOutOfOrder, findTooNear, type Numbered } from './invoiceOrder';
import { isPaying } from './rowStates';
import { findByNumber, findMistyped, referenceOf, type VendorPayments } from './vendorNumbers';
import { comesTooSoon, comesTooSoonForVendor } from './vendorRhythm';

/** A vendor may have hundreds of one amount: where a payment may repeat any of them, so many are named. */
const MAX_NEWEST = 5;
/** Of other amounts, fewer are: they only show what the references of the vendor are like. */
const MAX_OF_OTHER_AMOUNTS = 3;

/** What payments share if a slip in the number makes one from the other, which has another amount. */
export const MISTYPED = 'almost the same number, with another amount';

/** What a payment shares with one whose number is too near to its own. */
const TOO_NEAR = 'same payee, with a number that is very near to this one';

/** What a payment shares with others of its vendor that have other references and amounts. */
const UNLIKE = 'same payee, whose references are unlike this one';

/** A payment that another one may repeat, and what both share, as a part of a message. */
export interface RepeatedRow {
	row: Row;
	likeness: string;
}

/** When a payment was first made, and since when its vendor and amount count by themselves, both in milliseconds. */
export interface PaymentTimes {
	time: number;
	since: number;
}

/** The payments of a vendor that its number tells: from these, a slip or another date makes that of a payment. */
export function findBySlip(payment: Payment, rows: Row[]): RepeatedRow[] {
	const vendor = othersOf(payment, rows);
	const tooNear = findTooNear(numberedOf(payment), vendor.ofVendor);
	return [
		...withLikeness(findByNumber(payment, vendor), 'almost the same number'),
		...withLikeness(findMistyped(payment, vendor.ofVendor), MISTYPED),
		...withLikeness(tooNear === undefined ? [] : [tooNear], TOO_NEAR),
	];
}

/**
 * The last payments of a payment's vendor, however old they are, if the payment does not continue them: by its reference,
 * by its invoice date, or by its time.
 *
 * @param rows all payments of the vendor that count, from the oldest one on
 * @param isInOrderInRun whether its number and date fit those of the run
 */
export function findByHistory(
	payment: Payment,
	rows: Row[],
	times: PaymentTimes,
	isInOrderInRun = true,
): RepeatedRow[] {
	const vendor = othersOf(payment, rows);
	const { ofAmount, ofVendor } = vendor;
	const paid = ofVendor.filter(isPaying);
	const outOfOrder = findOutOfOrder(numberedOf(payment), paid);
	const isInOrder = isInOrderInRun && outOfOrder.length === 0;
	if (!isInOrder || !continuesNumbers(payment, paid, paid)) {
		// What waits may repeat what was paid, so a person must see both.
		const ofOtherAmounts = paid.filter(({ amount_cents: cents }) => cents !== payment.amount);
		return [
			...newestOf(ofAmount, 'same payee and amount'),
			...outOfOrder.map(({ other, likeness }) => ({ row: other, likeness })),
			...newestOf(ofOtherAmounts, UNLIKE, MAX_OF_OTHER_AMOUNTS),
		];
	}
	if (!continuesNumbers(payment, ofAmount, ofVendor)) {
		return newestOf(ofAmount, 'same payee and amount');
	}
	if (!hasRecent(ofAmount, times) && comesTooSoon(payment, ofAmount, times.time)) {
		return newestOf(ofAmount, 'same payee and amount, sooner than usual');
	}
	if (comesTooSoonForVendor(payment, paid, times.time)) {
		return newestOf(paid, 'same payee, sooner than usual', MAX_OF_OTHER_AMOUNTS);
	}
	return [];
}

const numberedOf = ({ reference, invoiceDate = '' }: Payment): Numbered => ({
	reference,
	invoice_date: invoiceDate,
});

/** The payments of a vendor that have another reference than a payment. */
function othersOf(payment: Payment, rows: Row[]): VendorPayments {
	const key = keyOf(payment);
	const ofVendor = rows.filter((row) => row.key !== key);
	const ofAmount = ofVendor.filter(({ amount_cents: cents }) => cents === payment.amount);
	return { ofAmount, ofVendor };
}

/**
 * Whether the number of a payment continues those of others. There is nothing to continue without any.
 *
 * @param ofVendor the payments that tell how far the numbers of the vendor are from each other
 */
function continuesNumbers({ reference }: Payment, others: Row[], ofVendor: Row[]): boolean {
	if (others.length === 0) {
		return true;
	}
	const isUnlike = isUnlikeAll(reference, others.map(referenceOf));
	return !isUnlike && !isFarAbove(reference, ofVendor.map(referenceOf));
}

/** Whether the last payment counts by itself, whenever the others were. What waits does not: the one before it is named, too. */
function hasRecent(ofAmount: Row[], { since }: PaymentTimes): boolean {
	const last = ofAmount.filter(isPaying).at(-1);
	return last !== undefined && Date.parse(last.createdAt) >= since;
}

const newestOf = (rows: Row[], likeness: string, count = MAX_NEWEST): RepeatedRow[] =>
	withLikeness(rows.slice(-count).reverse(), likeness);

const withLikeness = (rows: Row[], likeness: string): RepeatedRow[] =>
	rows.map((row) => ({ row, likeness }));
