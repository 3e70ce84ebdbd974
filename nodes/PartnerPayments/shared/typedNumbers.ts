import { withMonthNumbers, withoutCentury } from './invoiceDates';
import { memoized } from './memo';
import { keyWithZerosOf } from './references';

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
		const plain = withoutCentury(typed.replace(/^0+(?=\p{N})/u, ''));
		return { typed, plain };
	});
});

/** A number without the letter behind it. */
export const valueOf = ({ typed }: TypedNumber): number => Number(typed.replace(NO_DIGITS, ''));
