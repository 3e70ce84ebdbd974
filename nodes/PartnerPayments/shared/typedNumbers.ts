import { isYear, withMonthNumbers, withoutCentury, withPlainMonths } from './invoiceDates';
import { inOneOrder, isInvoiceWord } from './invoiceWords';
import { memoized } from './memo';
import { keyWithZerosOf, matchKeyOf, withoutZeros } from './references';

/** So many of a vendor's last numbers tell how they go on: one that was wrong is forgotten then. */
export const SERIES_LENGTH = 10;

/** A number with the letter behind it. */
const NUMBERS = /\p{N}+(?:\p{L}(?![\p{L}\p{N}]))?/gu;
const NO_DIGITS = /\P{N}/gu;

/** A number of a reference, as a person has typed it. */
export interface TypedNumber {
	typed: string;
	/** Without leading zeros, and a year without its century. */
	plain: string;
}

/** The numbers of a reference in their order; of a month that has a name, its number. */
export const typedNumbersOf = memoized((reference) => {
	const key = withMonthNumbers(keyWithZerosOf(reference));
	return Array.from(key.matchAll(NUMBERS), ([typed]): TypedNumber => {
		const plain = withoutCentury(withoutZeros(typed));
		return { typed, plain };
	});
});

/** Whether a reference has a month by its name. */
export function hasNamedMonth(reference: string): boolean {
	const key = keyWithZerosOf(reference);
	return withMonthNumbers(key) !== key;
}

/** A number without the letter behind it. */
export const valueOf = ({ typed }: TypedNumber): number => Number(typed.replace(NO_DIGITS, ''));

/** The days and months of dates have no more digits, and neither have weeks. These begin anew each year. */
export const MAX_SHORT_DIGITS = 2;

export const isShort = ({ typed }: TypedNumber): boolean => typed.length <= MAX_SHORT_DIGITS;

export const isMonth = (number: TypedNumber): boolean => isShort(number) && valueOf(number) <= 12;

/** The only number in which a reference differs from another one. */
export interface NumberDifference {
	/** Which of the numbers of a reference it is. */
	position: number;
	number: TypedNumber;
	other: TypedNumber;
}

/**
 * The only number in which a reference differs from another one; undefined if they differ in more, or in none. Where
 * one has a year that the other one lacks, the years do not count.
 */
export function onlyDifferenceOf(reference: string, other: string): NumberDifference | undefined {
	const numbers = typedNumbersOf(reference);
	const others = typedNumbersOf(other);
	if (numbers.length === others.length) {
		return differenceOf(numbers, others);
	}
	return differenceOf(withoutYears(numbers), withoutYears(others));
}

function differenceOf(numbers: TypedNumber[], others: TypedNumber[]): NumberDifference | undefined {
	if (numbers.length !== others.length) {
		return undefined;
	}

	let found: NumberDifference | undefined;
	for (const [position, number] of numbers.entries()) {
		const other = others[position];
		if (other === undefined || other.plain === number.plain) {
			continue;
		}
		if (found !== undefined) {
			return undefined;
		}
		found = { position, number, other };
	}
	return found;
}

export const withoutYears = (numbers: TypedNumber[]): TypedNumber[] =>
	numbers.filter(({ typed }) => !isYear(typed));

/** The number of the invoice, most likely: the longest one but a year, such as 0042 of `RE 2026-0042 (5.12.)`. */
export function mainNumberOf(numbers: TypedNumber[]): TypedNumber | undefined {
	const others = withoutYears(numbers);
	const [first, ...more] = others.length > 0 ? others : numbers;
	let longest = first;
	for (const candidate of more) {
		if (longest === undefined || candidate.typed.length >= longest.typed.length) {
			longest = candidate;
		}
	}
	return longest;
}

/** The words of a reference without numbers, months, and a word for an invoice, the same in whichever order they are. */
export const wordsOf = memoized((reference): string => {
	const key = withPlainMonths(matchKeyOf(reference));
	const words = key.replace(NUMBERS, '').replaceAll('-', '');
	return isInvoiceWord(words) ? '' : inOneOrder(words);
});
