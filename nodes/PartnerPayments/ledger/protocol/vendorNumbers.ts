import { DAY_MS } from '../../shared/dates';
import {
	mayBeMistyped,
	mayBeMistypedAtAnyAmount,
	mayBeMistypedWithAmount,
} from '../../shared/mistypedNumbers';
import { differInYear, haveOneNumber } from '../../shared/numberSeries';
import type { Payment } from '../payment';
import type { Row } from '../table/rows';
import type { Compared } from './likeness';

/** What is paid each year comes about so long after the last time, in milliseconds. */
const YEAR_MS = 300 * DAY_MS;

/** A vendor with many payments has nearly every number with a slip, so whatever their amounts are, the newest ones count. */
const MAX_NEWEST = 30;

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

/**
 * Those of a payment's vendor, with another amount, from which a slip in the number makes the payment: one that is
 * unlikely in itself, or one beside a slip in the amount. An amount that the vendor got before is no slip.
 */
export function findMistyped<One extends Compared>(
	{ reference, amount }: Payment,
	ofVendor: One[],
): One[] {
	const references = ofVendor.map((other) => other.reference);
	const isKnownAmount = ofVendor.some(({ amount_cents: cents }) => cents === amount);
	const newest = new Set(ofVendor.slice(-MAX_NEWEST));

	return ofVendor.filter((other) => {
		const { reference: earlier, amount_cents: earlierAmount } = other;
		if (earlierAmount === null || earlierAmount === amount) {
			return false;
		}
		if (newest.has(other) && mayBeMistypedAtAnyAmount(reference, earlier, references)) {
			return true;
		}
		const amounts = { amount, earlierAmount };
		return !isKnownAmount && mayBeMistypedWithAmount(reference, earlier, amounts, references);
	});
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

export const referenceOf = ({ reference }: Row): string => reference;
