import { withoutCentury, withPlainMonths } from './invoiceDates';
import { digitsFor } from './invoiceRuns';
import { withoutZeros } from './references';

/*
 * What tells two references of one vendor and one amount apart, such as INV-1042 and INV-1043, or Rent May and Rent
 * June. `Storage for May` and `Storage May` have nothing that does.
 */

/** A number with the letter behind it. Where a single letter names a series, it belongs to the number. */
const NUMBERS = /(?:^\p{L})?\p{N}+(?:\p{L}(?![\p{L}\p{N}]))?/gu;

/** Letters beside digits that look like digits. */
const LOOK_ALIKES = /[oilzsb](?=[oil]{0,3}\p{N})|(?<=\p{N}[oil]{0,3})[oilzsb]/gu;

/** The numbers, months, and years of a match key, in each way in which it can be read. */
export interface DistinctNumbers {
	asWritten: string[];
	/** With letters that look like digits as digits. */
	asDigits: string[];
}

/** @param matchKey as from `matchKeyOf` */
export function distinctNumbersIn(matchKey: string): DistinctNumbers {
	const plain = withPlainMonths(matchKey);
	const withDigits = plain.replace(LOOK_ALIKES, digitsFor);
	return { asWritten: numbersOf(plain), asDigits: numbersOf(withDigits) };
}

/**
 * Whether each of two references has a number, a month, or a year that the other one lacks, however they are read. In
 * `2026-01-1` and `2026-02-1`, it is the month.
 */
export function areToldApart(one: DistinctNumbers, other: DistinctNumbers): boolean {
	return haveOwnEach(one.asWritten, other.asWritten) && haveOwnEach(one.asDigits, other.asDigits);
}

const haveOwnEach = (one: string[], other: string[]): boolean =>
	withoutShared(one, other).length > 0 && withoutShared(other, one).length > 0;

/** The numbers that are not among others. One that is there twice has to be there twice among the others. */
function withoutShared(numbers: string[], others: string[]): string[] {
	const rest = [...others];
	return numbers.filter((number) => {
		const position = rest.indexOf(number);
		if (position >= 0) {
			rest.splice(position, 1);
		}
		return position < 0;
	});
}

/** Each number without its leading zeros, and each year with two digits. */
function numbersOf(text: string): string[] {
	const numbers = text.match(NUMBERS) ?? [];
	return numbers.map((number) => withoutCentury(withoutZeros(number)));
}
