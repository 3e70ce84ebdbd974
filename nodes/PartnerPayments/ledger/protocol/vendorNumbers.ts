import { DAY_MS } from '../../shared/dates';
import { mayBeMistyped } from '../../shared/mistypedNumbers';
import { differInYear, haveOneNumber, isFarAbove, isUnlikeAll } from '../../shared/numberSeries';
import { keyOf, type Payment } from '../payment';
import type { Row } from '../table/rows';
import type { RowAlike } from './likeness';

/** A vendor may have hundreds of one amount: where a number is like none of them, so many are named. */
const MAX_NEWEST = 5;
/** What is paid each year comes about so long after the last time, in milliseconds. */
const YEAR_MS = 300 * DAY_MS;

/**
 * The payments of a payment's vendor and amount that it may repeat, since its number does not continue those of the
 * vendor: it is like none of them, or it is an earlier one with a slip, or with another date or year.
 *
 * @param ofVendor all payments of the vendor that count, from the oldest one on
 */
export function findByNumber(payment: Payment, ofVendor: Row[]): RowAlike[] {
	const key = keyOf(payment);
	const others = ofVendor.filter((row) => row.key !== key);
	const ofAmount = others.filter(({ amount_cents: cents }) => cents === payment.amount);
	const known = { ofAmount: ofAmount.map(referenceOf), ofVendor: others.map(referenceOf) };
	const mistyped = ofAmount.filter(({ reference }) =>
		mayBeMistyped(payment.reference, reference, known),
	);
	const isUnlike =
		isUnlikeAll(payment.reference, known.ofAmount) || isFarAbove(payment.reference, known.ofVendor);
	const newest = isUnlike ? ofAmount.slice(-MAX_NEWEST).reverse() : [];

	return [
		...repeatedRows(payment, ofAmount).map(withAlmostTheNumber),
		...rowsOfOtherYear(payment, ofAmount).map(withAlmostTheNumber),
		...mistyped.map(withAlmostTheNumber),
		...newest.map((row): RowAlike => ({ row, likeness: 'same payee and amount' })),
	];
}

const withAlmostTheNumber = (row: Row): RowAlike => ({ row, likeness: 'almost the same number' });

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
