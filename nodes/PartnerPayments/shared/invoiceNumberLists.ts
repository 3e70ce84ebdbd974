import { isShortYear, isYear, numberBehindYear } from './invoiceDates';
import { findNumbers, firstRun, spellingsOf } from './invoiceRuns';
import { withoutZeros } from './references';

/*
 * All numbers in a match key, as from `matchKeyOf`, with lists and ranges of invoices.
 */

/** A number with a separator between its thousands. */
const THOUSANDS = /^\p{N}{1,3}(?:-\p{N}{3})+$/u;

/** What joins the numbers of a list. */
const LIST_WORDS =
	/^(?:and|und|et|en|e|y|to|upto|till|until|thru|through|bis|tot|tm|a|au|hasta)?$/u;

/** How many numbers a range has at most, besides its first one. */
const MAX_RANGE = 20;

/**
 * All numbers of a match key that are no dates, and those of orders if there are no others: of `inv1042-2` they are
 * 1042 and 2, of `inv1042a` 1042a and 1042, and of `re26-815` 26815, 26, and 815. Without another number, what may be a
 * day or a month counts: of `inv7-2026` it is 7, and of `inv21nov` 21.
 */
export function numbersIn(key: string): string[] {
	const numbers = new Set<string>();
	for (const matchKey of spellingsOf(key)) {
		for (const thousands of ['joined', 'apart'] as const) {
			for (const number of numbersWith(thousands, matchKey)) {
				numbers.add(number);
			}
		}
	}
	return [...numbers];
}

/** The numbers of a match key, if `26-815` is read as one number, or as two. */
function numbersWith(thousands: Thousands, matchKey: string): string[] {
	const parts = partsIn(matchKey, thousands);
	return parts.length === 0 ? monthOrDayIn(matchKey) : readingsOf(parts);
}

/**
 * Of all numbers of a match key, those that it begins with: the first one, and those that are listed with it, as in
 * `inv81-82` and `inv81and82`. The numbers between two belong to them: `5075-5077` may be three invoices.
 */
function firstNumbersIn(matchKey: string): string[] {
	const parts = partsIn(matchKey, 'joined');
	const first = parts.find(({ number }) => !isYear(number)) ?? parts[0];
	// The first number is listed with itself, so it is among these.
	const listed = parts.filter((part) => first !== undefined && isListedWith(first, part));
	// The 26 of 26-088 may be a year: then 88 counts, too.
	const behindYear = behindShortYear(partsIn(matchKey, 'apart'));
	return readingsOf(listed.concat(behindYear));
}

/** The second of all parts, if it stands directly behind a year of two digits, as 088 in 26-088. */
function behindShortYear([first, second]: Part[]): Part[] {
	if (first === undefined || second === undefined) {
		return [];
	}
	const isDirectlyBehind = second.words === '';
	return isDirectlyBehind && isShortYear(first.number) ? [second] : [];
}

/** How 26-815 is read: as one number, or as two. */
type Thousands = 'joined' | 'apart';

/** A number of a match key, and the words before it. */
interface Part {
	words: string;
	number: string;
}

/** The numbers of a match key that are no dates, and those of orders if there are no others, in their order. */
function partsIn(matchKey: string, thousands: Thousands): Part[] {
	const parts: Part[] = [];
	let endOfLast = 0;
	for (const { start, end, digits } of findNumbers(matchKey)) {
		const isOne = thousands === 'joined' && THOUSANDS.test(digits);
		const numbers = isOne ? [digits.replaceAll('-', '')] : digits.split('-');
		for (const [position, number] of numbers.entries()) {
			parts.push({ words: position === 0 ? matchKey.slice(endOfLast, start) : '', number });
		}
		endOfLast = end;
	}
	return parts.flatMap((part, position) => withRange(parts[position - 1], part));
}

/**
 * A number with those between it and the one before it, where both are the ends of a range: in `5075-5077`, the 5077
 * is 5076 and 5077. So are two in a list, such as `81and84`, which may mean a range. More than a few numbers are no
 * range, nor are those with a letter.
 */
function withRange(before: Part | undefined, part: Part): Part[] {
	if (before === undefined || isYear(before.number) || !isJoinedWith(before, part)) {
		return [part];
	}

	const first = Number(before.number);
	const last = Number(completed(before.number, part.number));
	const count = last - first;
	const isRange = count > 0 && count <= MAX_RANGE;
	if (!isRange) {
		return [part];
	}
	const behindFirst = Array.from({ length: count }, (_, index) => String(first + index + 1));
	return behindFirst.map((number) => ({ words: part.words, number }));
}

/**
 * The second of two numbers with the digits that people leave out since both begin with them: 43 behind 1041 is
 * 1043. One digit alone is left as it is: 2 behind 1042 is a part of that invoice.
 */
function completed(first: string, second: string): string {
	if (second.length < 2) {
		return second;
	}
	const missing = Math.max(0, first.length - second.length);
	return first.slice(0, missing) + second;
}

/**
 * Whether a number is joined with an earlier one: nothing stands between them but a word of a list, and the words
 * before the earlier one again, as in `inv81andinv82`.
 */
function isJoinedWith(earlier: Part, { words }: Part): boolean {
	const isRepeated = words.endsWith(earlier.words);
	const between = isRepeated ? words.slice(0, words.length - earlier.words.length) : words;
	return LIST_WORDS.test(between);
}

/** Whether a number is listed with the first one: joined with it, and as long. */
const isListedWith = (first: Part, part: Part): boolean =>
	part.number.length === first.number.length && isJoinedWith(first, part);

/** The numbers without leading zeros, with a letter behind them and without. Years count if there is nothing else. */
function readingsOf(parts: Part[]): string[] {
	const numbers = new Set<string>();
	for (const { number } of parts) {
		const plain = withoutZeros(number);
		numbers.add(plain);
		numbers.add(plain.replace(/\p{L}/u, ''));
	}
	const withoutYears = [...numbers].filter((number) => !isYear(number));
	return withoutYears.length > 0 ? withoutYears : [...numbers];
}

/** A number of one or two digits, as a month or a day is. Each of the two in 7-11 is one. */
const SHORT_NUMBERS = /(?<!\p{N})\p{N}{1,2}(?!\p{N})/gu;

/**
 * Reads a match key that only has a date: the month of `7-2026`, or the day of `21nov`. Of a whole date without
 * separators, it is what follows the year. A year alone has neither, and of two short numbers, none counts.
 */
function monthOrDayIn(matchKey: string): string[] {
	const run = firstRun(matchKey);
	if (run === undefined) {
		return [];
	}

	const [digits] = run;
	const behindYear = numberBehindYear(digits);
	if (behindYear !== undefined) {
		return [behindYear];
	}
	const shortNumbers = digits.match(SHORT_NUMBERS) ?? [];
	return shortNumbers.length === 1 ? shortNumbers : [];
}

/**
 * Whether one match key has a single number, and another one has it, too, beside more, as a part of an invoice, its
 * correction, or a reminder has: `inv1042` and `inv1042-2`, or `inv1042reminder2`. A number of one or two digits
 * must be one of the first there, since `invoice5for3videos` is not the invoice 3.
 */
export function isSingleIn(one: string, other: string): boolean {
	const [single, ...more] = numbersWith('joined', one);
	if (single === undefined || more.length > 0) {
		return false;
	}
	const numbers = single.length >= 3 ? numbersIn(other) : firstNumbersIn(other);
	return numbers.includes(single);
}
