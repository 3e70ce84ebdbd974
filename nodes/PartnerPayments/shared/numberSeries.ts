import { beginsLater, isShortYear, isYear } from './invoiceDates';
import {
	hasNamedMonth,
	isMonth,
	isShort,
	mainNumberOf,
	MAX_SHORT_DIGITS,
	onlyDifferenceOf,
	SERIES_LENGTH,
	type TypedNumber,
	typedNumbersOf,
	valueOf,
	withoutYears,
	wordsOf,
} from './typedNumbers';

/*
 * Whether a reference has a number like those that a vendor was paid for. Where it has none, a person may have taken the
 * number of an order or of a customer for that of the invoice, or the date of one that has a number.
 */

/** A number is of another series if it is so many times as far from the others as they are from each other. */
const MAX_STEPS = 10;

/** Numbers of one digit are too near to each other to tell. */
const MIN_DIGITS = 2;

/** So few numbers already tell how far they are from each other. */
const MIN_NUMBERS = 2;

/** So many letters before a number say no more than that it is one, as in RE 13. One letter is a series, as in A-7 and B-7. */
const MAX_PREFIX_LETTERS = 2;

/** The number of an invoice or of a contract, a month, and a day or a year. */
const MIN_NUMBERS_WITH_DATE = 3;

/** A vendor whose references were so often like none before has no series: they may be made at random. */
const MAX_SURPRISES = 3;

/**
 * Whether a reference is like none of those that a vendor was paid for: its number has more or fewer digits than each of
 * theirs, or is lower, or it has an earlier date, or other words.
 *
 * @param known those references, from the oldest one on
 */
export function isUnlikeAll(reference: string, known: string[]): boolean {
	return !isContinued(reference, known) && !areAtRandom(known.slice(-SERIES_LENGTH));
}

const isContinued = (reference: string, known: string[]): boolean =>
	known.some((other) => continues(reference, other));

function areAtRandom(known: string[]): boolean {
	const surprises = known.filter(
		(reference, index) => index > 0 && !isContinued(reference, known.slice(0, index)),
	);
	return surprises.length >= MAX_SURPRISES;
}

/**
 * Whether a reference has the number of an earlier one, and others beside it: INV-1042 of 5.12. and INV-1042 of 12.12., or
 * 88-3032 and 8-3032. A reminder of an invoice has another date, and so has the next month of a contract. Where only the
 * year differs, or the next number follows in another part, it is rather another invoice.
 */
export function haveOneNumber(reference: string, earlier: string): boolean {
	const numbers = typedNumbersOf(reference);
	const others = typedNumbersOf(earlier);
	const number = mainNumberOf(numbers);
	const isLong = number !== undefined && number.plain.length > MAX_SHORT_DIGITS;
	if (!isLong || number.plain !== mainNumberOf(others)?.plain) {
		return false;
	}

	const fewest = Math.min(numbers.length, others.length);
	if (fewest >= MIN_NUMBERS_WITH_DATE) {
		return true;
	}
	const difference = onlyDifferenceOf(reference, earlier);
	if (fewest < 2 || difference === undefined || isYear(difference.number.typed)) {
		return false;
	}
	return valueOf(difference.number) !== valueOf(difference.other) + 1;
}

/**
 * Whether the number of a reference is far above those of its vendor, such as 0747 after 0471 to 0476.
 *
 * @param known the references of the vendor's payments, from the oldest one on
 */
export function isFarAbove(reference: string, known: string[]): boolean {
	const number = mainNumberOf(typedNumbersOf(reference));
	if (number === undefined || number.typed.length < MIN_DIGITS || namesDay(reference)) {
		return false;
	}

	const series: TypedNumber[] = [];
	for (const other of known) {
		const otherNumber = mainNumberOf(typedNumbersOf(other));
		if (otherNumber?.typed.length === number.typed.length) {
			series.push(otherNumber);
		}
	}
	const last = series.slice(-SERIES_LENGTH);
	if (last.length < MIN_NUMBERS || last.some((other) => beginsLater(number.typed, other.typed))) {
		return false;
	}

	const values = last.map(valueOf);
	const highest = Math.max(...values);
	const averageStep = (highest - Math.min(...values)) / (last.length - 1);
	// Two invoices can have one number, and others beside it.
	return valueOf(number) - highest > Math.max(averageStep, 1) * MAX_STEPS;
}

/** Whether two references are days, such as those of wages. That of a month is not. */
export const areDays = (one: string, other: string): boolean => namesDay(one) && namesDay(other);

/** Whether short numbers of a reference are a day and a month: 26/41 are none. */
function namesDay(reference: string): boolean {
	const numbers = withoutYears(typedNumbersOf(reference));
	return numbers.length > 1 && numbers.every(isShort) && numbers.some(isMonth);
}

/**
 * Whether two references differ in their years alone, such as PH-2026-0450 and PH-2027-0450. A year of two digits stands
 * before a longer number, as in K-26-0327: 4711-26 can be the invoice 26 of a customer.
 */
export function differInYear(one: string, other: string): boolean {
	const difference = onlyDifferenceOf(one, other);
	if (difference === undefined) {
		return false;
	}
	const { number, other: otherNumber, position } = difference;
	if (isYear(number.typed) && isYear(otherNumber.typed)) {
		return true;
	}
	const behind = typedNumbersOf(one).slice(position + 1);
	const isBeforeNumber = behind.some((later) => !isShort(later) && !isYear(later.typed));
	return isBeforeNumber && isShortYear(number.typed) && isShortYear(otherNumber.typed);
}

/** Whether a reference can be that of a later invoice than another one. */
function continues(reference: string, earlier: string): boolean {
	const numbers = typedNumbersOf(reference);
	const others = typedNumbersOf(earlier);
	const number = mainNumberOf(numbers);
	const other = mainNumberOf(others);
	if (number === undefined || other === undefined) {
		return number === other;
	}

	const areOfOneSeries =
		areAlike(number, other) && areOfOneKind(wordsOf(reference), wordsOf(earlier));
	if (!areOfOneSeries) {
		return false;
	}
	if (isShort(number)) {
		if (!haveOneForm(reference, earlier)) {
			return false;
		}
		const isDate = numbers.some(({ typed }) => isYear(typed));
		const areDates = isDate && numbers.length === others.length;
		return !areDates || hasHigherNumber(numbers, others);
	}
	return valueOf(number) >= valueOf(other) || hasHigherNumber(numbers, others);
}

/** Whether short numbers mean the same, as far as their words tell: 31 is no month, and that of Gutters February is one. */
function haveOneForm(one: string, other: string): boolean {
	const areAsMany = typedNumbersOf(one).length === typedNumbersOf(other).length;
	const areAlike = areAsMany && hasNamedMonth(one) === hasNamedMonth(other);
	return areAlike || wordsOf(one) === wordsOf(other);
}

/** Whether the words of a reference are those of an earlier one, as far as they tell. A number alone goes with any words. */
function areOfOneKind(words: string, earlier: string): boolean {
	if (words === earlier || words === '') {
		return true;
	}
	const maxLetters = earlier === '' ? MAX_PREFIX_LETTERS : 1;
	return words.length <= maxLetters && earlier.length <= 1;
}

/** Whether a number can be of one series with another one, as far as their digits tell. */
function areAlike(number: TypedNumber, other: TypedNumber): boolean {
	const digits = number.typed.length;
	const digitsOfOther = other.typed.length;
	if (digits === digitsOfOther) {
		return true;
	}
	const areShort = isShort(number) && isShort(other);
	return areShort || (digits === digitsOfOther + 1 && valueOf(number) < 2 * valueOf(other));
}

/** Whether one of as many numbers is higher than the one at its position, such as the year in 2027-001 after 2026-118. */
const hasHigherNumber = (numbers: TypedNumber[], others: TypedNumber[]): boolean =>
	numbers.length === others.length &&
	numbers.some((number, position) => {
		const other = others[position];
		return other !== undefined && valueOf(number) > valueOf(other);
	});
