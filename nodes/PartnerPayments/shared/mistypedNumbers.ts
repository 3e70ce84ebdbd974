import { isYear } from './invoiceDates';
import {
	isMonth,
	isShort,
	type NumberDifference,
	onlyDifferenceOf,
	SERIES_LENGTH,
	type TypedNumber,
	typedNumbersOf,
	valueOf,
	wordsOf,
} from './typedNumbers';

/*
 * Whether the number of a reference is that of an earlier one of the same vendor, mistyped: beside the same amount, a
 * mistyped one, or any. A vendor that is paid again and again has numbers that are alike, and the next one is no slip.
 */

/** A digit more or less makes another invoice of a shorter number: week 14 is not week 4, mistyped. */
const MIN_DIGITS = 2;
/** Another last digit makes another invoice of a shorter number, and so do its zeros: month 10 is not month 01. */
const MIN_DIGITS_OF_SERIES = 3;

/** The next number of a vendor is at most twice as far, and at least half as far as its others were from each other. */
const FACTOR = 2;

/** So few numbers already tell how a series goes on. */
const MIN_SERIES_LENGTH = 3;

/** An amount that a vendor got at most so many times is no regular one. */
const MAX_RARE = 2;

const DAYS_OF_WEEK = 7;

/** A slip that makes one number from another one. */
type Slip = 'swapped' | 'changed' | 'last digit changed' | 'left out' | 'added';

/** The references of payments that a vendor got, from the oldest one on. */
export interface KnownReferences {
	/** Those of the same amount. */
	ofAmount: string[];
	ofVendor: string[];
}

/**
 * Whether one slip makes the number of a reference from that of an earlier one of its vendor and amount, and it is not
 * just the next number of the vendor.
 */
export function mayBeMistyped(
	reference: string,
	earlier: string,
	{ ofAmount, ofVendor }: KnownReferences,
): boolean {
	const difference = onlyDifferenceOf(reference, earlier);
	if (difference === undefined) {
		return areSwappedAcross(reference, earlier) && ofAmount.length <= MAX_RARE;
	}
	if (hasMistypedDay(reference, difference)) {
		return true;
	}
	const slip = slipIn(difference);
	if (slip === undefined) {
		return false;
	}

	if (slip !== 'last digit changed' && ofAmount.length <= MAX_RARE) {
		// Few invoices are so unlucky to have the amount of a rare one, and its digits but for one slip.
		return true;
	}
	if (isChanged(slip) && !isRising(seriesOf(difference, reference, ofAmount))) {
		// Such as 02122026 after 28112026, which are dates: many of them differ in one digit.
		return false;
	}
	return !continuesSeries(slip, difference, seriesOf(difference, reference, ofVendor));
}

/**
 * Whether one slip makes the number of a reference from that of an earlier one of its vendor, and another slip makes its
 * amount: a tired person makes both in one line. So the number may also be the next one.
 *
 * @param amounts of both, in minor units
 * @param ofVendor the references that the vendor was paid for
 */
export function mayBeMistypedWithAmount(
	reference: string,
	earlier: string,
	{ amount, earlierAmount }: { amount: number; earlierAmount: number },
	ofVendor: string[],
): boolean {
	const slipOfAmount = slipBetweenAmounts(String(amount), String(earlierAmount));
	if (slipOfAmount === undefined) {
		return false;
	}
	const difference = onlyDifferenceOf(reference, earlier);
	if (difference === undefined) {
		return areSwappedAcross(reference, earlier);
	}
	const { number, other } = difference;
	// Parts of an invoice, such as 1 and 2, or a and b, have amounts that are alike.
	const areParts = Math.max(number.plain.length, other.plain.length) < MIN_DIGITS;
	const step = valueOf(number) - valueOf(other);
	if (areParts || step === 0) {
		return false;
	}

	const slip = slipBetween(number.plain, other.plain, 1);
	if (slip === 'last digit changed' && slipOfAmount !== 'swapped') {
		// A vendor whose prices are alike has such numbers, too, so then only the next one counts, or one that is not new.
		const series = seriesOf(difference, reference, ofVendor);
		return step === 1 || series.some((value) => value > valueOf(number));
	}
	return slip !== undefined;
}

/**
 * Whether one slip makes the number of a reference from that of an earlier one of its vendor, whatever the amounts are,
 * and it is not just the next number. Another digit counts only above all numbers: below, it is that of an invoice that
 * comes late.
 */
export function mayBeMistypedAtAnyAmount(
	reference: string,
	earlier: string,
	ofVendor: string[],
): boolean {
	const difference = onlyDifferenceOf(reference, earlier);
	if (difference === undefined || wordsOf(reference) !== wordsOf(earlier)) {
		return false;
	}
	const { number, other } = difference;
	const isShort = Math.min(number.typed.length, other.typed.length) < MIN_DIGITS_OF_SERIES;
	const slip = slipIn(difference);
	if (isShort || slip === undefined || slip === 'last digit changed') {
		return false;
	}

	const series = seriesOf(difference, reference, ofVendor);
	if (slip === 'changed' && !isAbove(valueOf(number), series)) {
		return false;
	}
	return !continuesSeries(slip, difference, series);
}

/**
 * Whether two dates of one month differ by a slip in the day, such as 14.12.2026 and 04.12.2026. Those of one day of the
 * week are rather two payments.
 */
function hasMistypedDay(reference: string, difference: NumberDifference): boolean {
	const { number, other, position } = difference;
	const beside = typedNumbersOf(reference).filter((_, index) => index !== position);
	const isDate = beside.length === 2 && beside.some(isYearNumber) && beside.some(isMonth);
	if (!isDate || !isDay(number) || !isDay(other)) {
		return false;
	}
	// The day comes last behind the year, and first where dots follow. Else, it may be the month.
	const isLast = position === 2;
	const isFirstWithDot = position === 0 && NUMBER_WITH_DOT.test(reference);
	const mayBeMonth = isMonth(number) && isMonth(other);
	if (mayBeMonth && !isLast && !isFirstWithDot) {
		return false;
	}

	const days = Math.abs(valueOf(number) - valueOf(other));
	const slip = slipBetween(withTwoDigits(number), withTwoDigits(other));
	return slip !== undefined && days % DAYS_OF_WEEK !== 0;
}

const NUMBER_WITH_DOT = /\d\.\d/u;

const isYearNumber = ({ typed }: TypedNumber): boolean => isYear(typed);

const isDay = (number: TypedNumber): boolean => isShort(number) && valueOf(number) <= 31;

const withTwoDigits = ({ typed }: TypedNumber): string => typed.padStart(2, '0');

/** Whether a number is above those of a series that is long enough to tell how it goes on. */
const isAbove = (value: number, series: number[]): boolean =>
	series.length >= MIN_SERIES_LENGTH && series.every((other) => value > other);

/** Two digits of an amount may be swapped across others, such as those of 444.06 and 446.04. */
const slipBetweenAmounts = (amount: string, earlier: string): Slip | undefined =>
	haveSwappedDigits(amount, earlier) ? 'swapped' : slipBetween(amount, earlier);

/** Whether two digits are swapped across the separator between two numbers of references, such as those of 77-1211-3 and 77-1213-1. */
const areSwappedAcross = (reference: string, earlier: string): boolean =>
	wordsOf(reference) === wordsOf(earlier) &&
	slipBetween(digitsOf(reference), digitsOf(earlier)) === 'swapped';

const digitsOf = (reference: string): string =>
	typedNumbersOf(reference)
		.map(({ typed }) => typed)
		.join('');

/** Whether a slip only makes another digit of one. */
const isChanged = (slip: Slip): boolean => slip === 'changed' || slip === 'last digit changed';

/** The slip that makes a number from another one, with the zeros before them or without. */
function slipIn({ number, other }: NumberDifference): Slip | undefined {
	const isLong = number.typed.length >= MIN_DIGITS_OF_SERIES;
	const asTyped = isLong ? slipBetween(number.typed, other.typed) : undefined;
	return asTyped ?? slipBetween(number.plain, other.plain);
}

function slipBetween(number: string, earlier: string, minDigits = MIN_DIGITS): Slip | undefined {
	if (number.length !== earlier.length) {
		return slipOfLength(number, earlier, minDigits);
	}

	const [first = 0, second] = differentPlaces(number, earlier);
	if (second === undefined) {
		return first < number.length - 1 ? 'changed' : 'last digit changed';
	}
	const areBeside = second === first + 1;
	return areBeside && haveSwappedDigits(number, earlier) ? 'swapped' : undefined;
}

/** The places at which two numbers of one length have different digits. */
const differentPlaces = (number: string, other: string): number[] =>
	Array.from(number, (_, place) => place).filter((place) => number[place] !== other[place]);

/** Whether two digits of a number are swapped in another one, beside each other or not. */
function haveSwappedDigits(number: string, other: string): boolean {
	const [first = 0, second = 0, ...more] = differentPlaces(number, other);
	const isPair = number.length === other.length && more.length === 0;
	return isPair && number[first] === other[second] && number[second] === other[first];
}

/** The slip that makes a number from a longer or a shorter one. */
function slipOfLength(number: string, earlier: string, minDigits: number): Slip | undefined {
	if (Math.min(number.length, earlier.length) < minDigits) {
		return undefined;
	}
	if (lacksOneDigit(number, earlier)) {
		return 'left out';
	}
	return lacksOneDigit(earlier, number) ? 'added' : undefined;
}

/** Whether a number is a longer one without one of its digits: 8213 is 88213 without an 8. */
const lacksOneDigit = (number: string, longer: string): boolean =>
	Array.from(longer).some(
		(_, place) => longer.slice(0, place) + longer.slice(place + 1) === number,
	);

/** The last numbers that stand at one position in references that have the same numbers otherwise, in their order. */
function seriesOf({ position }: NumberDifference, reference: string, known: string[]): number[] {
	const series: number[] = [];
	for (const other of known) {
		const difference = onlyDifferenceOf(reference, other);
		if (difference?.position === position) {
			series.push(valueOf(difference.other));
		}
	}
	return series.slice(-SERIES_LENGTH);
}

const isRising = (series: number[]): boolean =>
	series.every((value, index) => value >= (series[index - 1] ?? value));

/** Whether a number is the next one of its series, rather than a slip. */
function continuesSeries(
	slip: Slip,
	{ number, other }: NumberDifference,
	series: number[],
): boolean {
	if (slip === 'last digit changed' && number.typed.length < MIN_DIGITS_OF_SERIES) {
		return true;
	}

	const highest = Math.max(...series);
	const step = valueOf(number) - highest;
	if (step < 0) {
		return false;
	}

	const { narrowest, widest } = stepsOf(series);
	if (slip === 'last digit changed') {
		const isTooNear = step > 0 && step * FACTOR < narrowest;
		return number.plain > other.plain && !isTooNear;
	}
	// The digits of the last number, swapped, are rather that number. Those of an earlier one come up in each series.
	const isPossible = slip === 'changed' || valueOf(other) < highest;
	return isPossible && step <= widest * FACTOR;
}

/** How far a number is from the next higher one. */
interface Steps {
	narrowest: number;
	widest: number;
}

/** The steps in a series; 0 if there is only one number. */
function stepsOf(series: number[]): Steps {
	const [lowest = 0, ...more] = [...series].sort((one, other) => one - other);
	const steps: number[] = [];
	let before = lowest;
	for (const value of more) {
		steps.push(value - before);
		before = value;
	}
	if (steps.length === 0) {
		return { narrowest: 0, widest: 0 };
	}
	return { narrowest: Math.min(...steps), widest: Math.max(...steps) };
}
