import { withMonthNumbers, withoutCentury } from './invoiceDates';
import { memoized } from './memo';
import { keyWithZerosOf } from './references';

/*
 * Whether the number of a reference is that of an earlier one of the same vendor and amount, mistyped. A vendor that
 * gets one amount again and again has numbers that are alike, and the next one of them is no slip.
 */

/** A number with the letter behind it. */
const NUMBERS = /\p{N}+(?:\p{L}(?![\p{L}\p{N}]))?/gu;
const NO_DIGITS = /\P{N}/gu;

/** A digit more or less makes another invoice of a shorter number: week 14 is not week 4, mistyped. */
const MIN_DIGITS = 2;
/** Another last digit makes another invoice of a shorter number, and so do its zeros: month 10 is not month 01. */
const MIN_DIGITS_OF_SERIES = 3;

/** The numbers of a vendor have come so many times as far as ever at most, if the next one is no slip. */
const MAX_STEPS = 2;

/** A number of a reference. */
interface TypedNumber {
	typed: string;
	/** Without leading zeros, and a year without its century. */
	plain: string;
}

/** The only number in which a reference differs from another one. */
interface NumberDifference {
	/** Which of the numbers of a reference it is. */
	position: number;
	number: TypedNumber;
	other: TypedNumber;
}

/** A slip that makes one number from another one. */
type Slip = 'swapped' | 'changed' | 'last digit changed' | 'left out' | 'added';

/**
 * Whether one slip makes the number of a reference from that of an earlier one, and it is not just the next number of
 * the series.
 *
 * @param known the references of all payments of the same vendor and amount, from the oldest one on
 */
export function mayBeMistyped(reference: string, earlier: string, known: string[]): boolean {
	const difference = onlyDifferenceOf(reference, earlier);
	if (difference === undefined) {
		return false;
	}
	const slip = slipIn(difference);
	if (slip === undefined) {
		return false;
	}
	const series = seriesOf(difference, reference, known);
	return !continuesSeries(slip, difference, series);
}

/** The only number in which a reference differs from another one; undefined if they differ in more, or in none. */
function onlyDifferenceOf(reference: string, other: string): NumberDifference | undefined {
	const numbers = typedNumbersOf(reference);
	const others = typedNumbersOf(other);
	if (numbers.length !== others.length) {
		return undefined;
	}

	let found: NumberDifference | undefined;
	for (const [position, number] of numbers.entries()) {
		const counterpart = others[position];
		if (counterpart === undefined || counterpart.plain === number.plain) {
			continue;
		}
		if (found !== undefined) {
			return undefined;
		}
		found = { position, number, other: counterpart };
	}
	return found;
}

/** The slip that makes a number from another one, with the zeros before them or without. */
function slipIn({ number, other }: NumberDifference): Slip | undefined {
	const isLong = number.typed.length >= MIN_DIGITS_OF_SERIES;
	const asTyped = isLong ? slipBetween(number.typed, other.typed) : undefined;
	return asTyped ?? slipBetween(number.plain, other.plain);
}

function slipBetween(number: string, earlier: string): Slip | undefined {
	if (number.length !== earlier.length) {
		return slipOfLength(number, earlier);
	}

	const places = Array.from(number, (_, place) => place);
	const [first = 0, second, ...more] = places.filter((place) => number[place] !== earlier[place]);
	if (second === undefined) {
		return first < number.length - 1 ? 'changed' : 'last digit changed';
	}
	const areBeside = more.length === 0 && second === first + 1;
	const areSwapped = number[first] === earlier[second] && number[second] === earlier[first];
	return areBeside && areSwapped ? 'swapped' : undefined;
}

/** The slip that makes a number from a longer or a shorter one. */
function slipOfLength(number: string, earlier: string): Slip | undefined {
	if (Math.min(number.length, earlier.length) < MIN_DIGITS) {
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

/** What stands at one position in references that have the same numbers otherwise, in their order. */
function seriesOf({ position }: NumberDifference, reference: string, known: string[]): number[] {
	const series: number[] = [];
	for (const other of known) {
		const difference = onlyDifferenceOf(reference, other);
		if (difference?.position === position) {
			series.push(valueOf(difference.other));
		}
	}
	return series;
}

/** Whether a number is the next one of its series, rather than a slip. */
function continuesSeries(
	slip: Slip,
	{ number, other }: NumberDifference,
	series: number[],
): boolean {
	const { isRising, highest, widestStep } = courseOf(series);
	const isChanged = slip === 'changed' || slip === 'last digit changed';
	if (isChanged && !isRising) {
		// Such as 02122026 after 28112026, which are dates: many of them differ in one digit.
		return true;
	}
	if (slip === 'last digit changed' && number.typed.length < MIN_DIGITS_OF_SERIES) {
		return true;
	}

	const value = valueOf(number);
	if (value < highest) {
		return false;
	}
	if (slip === 'last digit changed') {
		return number.plain > other.plain;
	}
	// The digits of the last number, swapped, are rather that number. Those of an earlier one come up in each series.
	const isPossible = slip === 'changed' || valueOf(other) < highest;
	return isPossible && value - highest <= widestStep * MAX_STEPS;
}

/** How the numbers of a series follow each other. */
interface Course {
	isRising: boolean;
	highest: number;
	/** How far a number is above the one before it, at most. */
	widestStep: number;
}

function courseOf(series: number[]): Course {
	let isRising = true;
	let highest = 0;
	let widestStep = 0;
	for (const [index, value] of series.entries()) {
		const step = value - (series[index - 1] ?? value);
		isRising = isRising && step >= 0;
		highest = Math.max(highest, value);
		widestStep = Math.max(widestStep, step);
	}
	return { isRising, highest, widestStep };
}

const typedNumbersOf = memoized((reference) => {
	const key = withMonthNumbers(keyWithZerosOf(reference));
	return Array.from(key.matchAll(NUMBERS), ([typed]): TypedNumber => {
		const plain = withoutCentury(typed.replace(/^0+(?=\p{N})/u, ''));
		return { typed, plain };
	});
});

const valueOf = ({ typed }: TypedNumber): number => Number(typed.replace(NO_DIGITS, ''));
