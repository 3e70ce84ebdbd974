import { hasOtherWords } from '../../shared/numberSeries';
import { otherPaperIn } from '../../shared/otherPapers';
import { keyOf, type Payment } from '../payment';
import type { Row } from '../table/rows';
import { isPaying, isReusable } from './rowStates';
import {
	continuesNumbers,
	findByNumber,
	findMistypedTwice,
	type VendorPayments,
} from './vendorNumbers';
import { comesTooSoon } from './vendorRhythm';

/** A vendor may have hundreds of one amount: where a payment may repeat any of them, so many are named. */
const MAX_NEWEST = 5;

/** What payments share if a slip in the number and one in the amount make one from the other. */
export const MISTYPED_TWICE = 'almost the same number and amount';

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
	return [
		...withLikeness(findByNumber(payment, vendor), 'almost the same number'),
		...withLikeness(findMistypedTwice(payment, vendor.ofVendor), MISTYPED_TWICE),
	];
}

/**
 * The last payments of a payment's vendor, however old they are, if the payment does not continue them: by its number, by
 * what its reference names, or by its time.
 *
 * @param rows all payments of the vendor that count, from the oldest one on
 */
export function findByHistory(payment: Payment, rows: Row[], times: PaymentTimes): RepeatedRow[] {
	const vendor = othersOf(payment, rows);
	const { ofAmount, ofVendor } = vendor;
	if (ofAmount.length > 0 && !continuesNumbers(payment, vendor)) {
		return newestOf(ofAmount, 'same payee and amount');
	}
	if (isForOtherPaper(payment, ofVendor)) {
		return newestOf(ofVendor, 'same payee, and this may be no invoice');
	}
	if (usesOtherWords(payment, ofVendor)) {
		return newestOf(ofVendor, 'same payee, whose references have other words');
	}
	if (!hasRecent(ofAmount, times) && comesTooSoon(ofAmount, times.time)) {
		return newestOf(ofAmount, 'same payee and amount, sooner than usual');
	}
	return [];
}

/**
 * The payments of a payment's vendor and amount that were never sent, if the payment does not continue the numbers that
 * were paid: it may be one of them with another reference.
 *
 * @param rows all payments of the vendor, from the oldest one on
 */
export function findUnsent(payment: Payment, rows: Row[]): Row[] {
	const { ofAmount, ofVendor } = othersOf(payment, rows);
	const unsent = ofAmount.filter(isReusable);
	if (unsent.length === 0) {
		// To compare the numbers of a vendor takes long, and most have nothing that was not sent.
		return [];
	}
	const paid = ofVendor.filter(isPaying);
	const isNext = continuesNumbers(payment, { ofAmount: paid, ofVendor: paid });
	return isNext ? [] : unsent.slice(-MAX_NEWEST);
}

/** The payments of a vendor that have another reference than a payment. */
function othersOf(payment: Payment, rows: Row[]): VendorPayments {
	const key = keyOf(payment);
	const ofVendor = rows.filter((row) => row.key !== key);
	const ofAmount = ofVendor.filter(({ amount_cents: cents }) => cents === payment.amount);
	return { ofAmount, ofVendor };
}

/** Whether a reference names a paper that is no invoice, and none of its vendor's names such a one. */
function isForOtherPaper({ reference }: Payment, ofVendor: Row[]): boolean {
	const paper = otherPaperIn(reference);
	return paper !== undefined && ofVendor.every((row) => otherPaperIn(row.reference) !== paper);
}

/** Whether a reference has other words than those of the payments that its vendor got. */
const usesOtherWords = ({ reference }: Payment, ofVendor: Row[]): boolean =>
	hasOtherWords(
		reference,
		ofVendor.filter(isPaying).map((row) => row.reference),
	);

/** Whether the last payment counts by itself, whenever the others were. */
function hasRecent(ofAmount: Row[], { since }: PaymentTimes): boolean {
	const last = ofAmount.at(-1);
	return last !== undefined && Date.parse(last.createdAt) >= since;
}

const newestOf = (rows: Row[], likeness: string): RepeatedRow[] =>
	withLikeness(rows.slice(-MAX_NEWEST).reverse(), likeness);

const withLikeness = (rows: Row[], likeness: string): RepeatedRow[] =>
	rows.map((row) => ({ row, likeness }));
