import { DAY_MS } from '../../shared/dates';
import { mayBeMistyped, mayBeMistypedWithAmount } from '../../shared/mistypedNumbers';
import { differInYear, haveOneNumber, isFarAbove, isUnlikeAll } from '../../shared/numberSeries';
import type { Payment } from '../payment';
import type { Row } from '../table/rows';
import type { Compared } from './likeness';

/** What is paid each year comes about so long after the last time, in milliseconds. */
const YEAR_MS = 300 * DAY_MS;

/** The payments of a vendor, from the oldest one on, that a payment of it is compared with. */
export interface VendorPayments {
	ofAmount: Row[];
	ofVendor: Row[];
}

/** Those of a payment's vendor and amount whose number is that of the payment, with a slip, or with another date or year. */
export function findByNumber(payment: Payment, { ofAmount, ofVendor }: VendorPayments): Row[] {
	const known = { ofAmount: ofAmount.map(referenceOf), ofVendor: ofVendor.map(referenceOf) };
	const mistyped = ofAmount.filter(({ reference }) =>
		mayBeMistyped(payment.reference, reference, known),
	);
	return [...repeatedRows(payment, ofAmount), ...rowsOfOtherYear(payment, ofAmount), ...mistyped];
}

/** Whether the number of a payment continues those of its vendor and amount. */
export function continuesNumbers(
	{ reference }: Payment,
	{ ofAmount, ofVendor }: VendorPayments,
): boolean {
	const isUnlike = isUnlikeAll(reference, ofAmount.map(referenceOf));
	return !isUnlike && !isFarAbove(reference, ofVendor.map(referenceOf));
}

/**
 * Those of a payment's vendor from which a slip in the number and one in the amount make the payment. An amount that the
 * vendor got before is no slip.
 */
export function findMistypedTwice<One extends Compared>(
	{ reference, amount }: Payment,
	ofVendor: One[],
): One[] {
	if (ofVendor.some(({ amount_cents: cents }) => cents === amount)) {
		return [];
	}

	const references = ofVendor.map((other) => other.reference);
	const known = { ofAmount: references, ofVendor: references };
	return ofVendor.filter(
		({ reference: earlier, amount_cents: earlierAmount }) =>
			earlierAmount !== null &&
			mayBeMistypedWithAmount(reference, earlier, { amount, earlierAmount }, known),
	);
}

/** The payment whose number a payment has, with another date beside it. */
function repeatedRows({ reference }: Payment, ofAmount: Row[]): Row[] {
	const withNumber = ofAmount.filter((row) => haveOneNumber(reference, row.reference));
	// A person has told two of them apart: it is the number of a contract.
	const isOfContract = new Set(withNumber.map(({ key }) => key)).size > 1;
	return isOfContract ? [] : withNumber;
}

/** The payments that a payment has the reference of, with another year, though no year has passed. */
const rowsOfOtherYear = ({ reference }: Payment, ofAmount: Row[]): Row[] =>
	ofAmount.filter(
		(row) =>
			Date.now() - Date.parse(row.createdAt) < YEAR_MS && differInYear(reference, row.reference),
	);

const referenceOf = ({ reference }: Row): string => reference;
