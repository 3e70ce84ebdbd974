import {
	areOfTwoDates,
	type Dated,
	isShortYear,
	isYear,
	numberOfDate,
	withoutCentury,
	withoutShortYears,
	withMonthFirst,
	withMonthNumbers,
	withPlainDate,
	withoutShortYear,
	withShortYear,
	withYearFirst,
} from './invoiceDates';
import { isSingleIn, numbersIn } from './invoiceNumberLists';
import { findNumbers, firstRun, lastRun, likelySpellingOf, spellingsOf } from './invoiceRuns';
import { haveSameWords, inOneOrder, wordsIn } from './invoiceWords';
import { memoized } from './memo';

/*
 * The number of an invoice in a match key, as from `matchKeyOf`, among dates, orders, and words around it.
 */

/** The number of a match key, and what people write around it. */
interface InvoiceNumber extends Dated {
	/** What stands before and behind the number and its dates. */
	before: string;
	behind: string;
	/** Around a date, which is all that `may2026` has, the words tell payments apart. */
	kind: 'number' | 'date';
}

/**
 * Finds the last number of a match key that is no date, or else the first date; undefined in words alone. That of an
 * order counts only if there is no other.
 */
function splitNumber(matchKey: string): InvoiceNumber | undefined {
	const found = findNumbers(matchKey).at(-1);
	if (found !== undefined) {
		const { start, end, digits, date } = found;
		return {
			before: matchKey.slice(0, start),
			digits: withShortYear(digits),
			date,
			behind: matchKey.slice(end),
			kind: 'number',
		};
	}

	const run = firstRun(matchKey);
	if (run === undefined) {
		return undefined;
	}
	const [digits] = run;
	return {
		before: matchKey.slice(0, run.index),
		...numberOfDate(digits),
		behind: matchKey.slice(run.index + digits.length),
		kind: 'date',
	};
}

/** Whether a match key has a number that is no date, as that of an invoice has. */
export const hasOwnNumber = (matchKey: string): boolean =>
	splitNumber(likelySpellingOf(matchKey))?.kind === 'number';

/**
 * What match keys with the same number share: the number without what stands around it, as from `sharedDigitsOf`. Of
 * `invoice1042corrected` it is `142`. Words alone are their own number, in whichever order.
 */
export const sharedNumberIn = memoized((matchKey) => {
	const found = splitNumber(likelySpellingOf(matchKey));
	return found === undefined
		? inOneOrder(matchKey)
		: sharedDigitsOf(found.digits.replaceAll('-', ''));
});

/** The number of a match key, as from `sharedNumberIn`, in whichever way its date is written. */
export const sharedNumberOfDateIn = (matchKey: string): string =>
	sharedNumberIn(withPlainDate(matchKey));

/** All numbers, as from `sharedNumberIn`, under which a match key may be found. */
export function allNumbersIn(matchKey: string): string[] {
	const found = new Set([sharedNumberIn(matchKey), sharedNumberOfDateIn(matchKey)]);
	for (const number of numbersIn(matchKey)) {
		found.add(sharedDigitsOf(number));
	}

	const words = wordsIn(matchKey);
	if (words !== undefined) {
		found.add(words.words);
	}
	return [...found];
}

/** The parts of the last run of a match key in one order: what two keys share that have them in different orders. */
const sortedPartsIn = (matchKey: string): string => lastPartsIn(matchKey).sort().join('-');

/** Those parts without a year, which a person may leave out: of 31.12.2026 and of 31.12., they are 12 and 31. */
export function partsWithoutYearIn(matchKey: string): string {
	const parts = lastPartsIn(matchKey).filter((part) => !isShortYear(part));
	return parts.sort().join('-');
}

/** A number without what may belong to it or not: its zeros, which may stand before one of its parts, and its years. */
export function sharedDigitsOf(number: string): string {
	const digits = number.replaceAll('0', '');
	return digits === '' ? '0' : withoutShortYears(digits);
}

/** How the numbers of two match keys compare. */
export type NumberComparison =
	/** The match keys are the same, so both are one reference, in any spelling. */
	| 'sameReference'
	/** They have the same number, with other words or dates around it. */
	| 'sameNumber'
	/** One has the single number of the other one, or its month or date, and more behind it, or its parts in another order. */
	| 'extended'
	| 'different';

export function compareNumbers(one: string, other: string): NumberComparison {
	if (one === other) {
		return 'sameReference';
	}

	const found = new Set<NumberComparison>();
	for (const ofOne of spellingsOf(one)) {
		for (const ofOther of spellingsOf(other)) {
			found.add(compareSpelled(ofOne, ofOther));
		}
	}
	if (found.has('sameNumber') || nameOneDate(one, other)) {
		return 'sameNumber';
	}
	const isWhole = isWholeIn(one, other) || isWholeIn(other, one);
	const isBegun = isBeginningOf(one, other) || isBeginningOf(other, one);
	const isExtended = found.has('extended') || haveSameWords(one, other) || isWhole || isBegun;
	return isExtended ? 'extended' : 'different';
}

const TWO_DIGITS = /^\p{N}{2}$/u;

/** Shorter references, such as 7, are by chance in others. */
const MIN_WHOLE_LENGTH = 3;

/** Whether a match key with a number stands whole in another one: `sc26-4533` in `sc26-4533v7-12`. */
function isWholeIn(one: string, other: string): boolean {
	const start = other.indexOf(one);
	if (one.length < MIN_WHOLE_LENGTH || start < 0 || !hasOwnNumber(one)) {
		return false;
	}
	const end = start + one.length;
	return !isInNumber(other, start) && !isInNumber(other, end);
}

/** Whether a match key with a number or a month is what another one begins with: `rentmay2026` in `rentmay2026-2`. */
function isBeginningOf(one: string, other: string): boolean {
	if (one.length < MIN_WHOLE_LENGTH || !beginningsOf(other).includes(one)) {
		return false;
	}
	return hasNumberOrMonth(one);
}

/** Whether a match key has a number, such as that of a date, or the name of a month. */
const hasNumberOrMonth = (matchKey: string): boolean => /\p{N}/u.test(withMonthNumbers(matchKey));

/** Where a number ends or begins within a match key. */
const ENDS_OF_PARTS = /(?<=\p{N})(?=\P{N})|(?<=\p{L})(?=\p{N})/gu;

/** The beginnings of a match key that end with a whole number, or before one: of `rentmay2026-2`, `rentmay` and `rentmay2026`. The longest one comes last. */
export const beginningsOf = memoized((matchKey): string[] =>
	Array.from(matchKey.matchAll(ENDS_OF_PARTS), ({ index }) => matchKey.slice(0, index)),
);

/** Whether a position in a match key is between two digits of one number. */
const isInNumber = (matchKey: string, position: number): boolean =>
	TWO_DIGITS.test(matchKey.slice(Math.max(0, position - 1), position + 1));

/** Whether two match keys only have a date, and it is the same one, in whichever way it is written. */
function nameOneDate(one: string, other: string): boolean {
	const first = splitNumber(withPlainDate(one));
	const second = splitNumber(withPlainDate(other));
	if (first?.kind !== 'date' || second?.kind !== 'date') {
		return false;
	}
	return haveSameNumber(first, second);
}

/** Compares two match keys in one spelling of each. */
function compareSpelled(one: string, other: string): NumberComparison {
	const first = splitNumber(one);
	const second = splitNumber(other);
	if (first === undefined || second === undefined) {
		return 'different';
	}

	const same = waysToRead(first, second).filter(haveSameDigits);
	if (same.length > 0) {
		return same.some(mayNameOneInvoice) ? 'sameNumber' : 'different';
	}

	const areDates = first.kind === 'date' && second.kind === 'date';
	if (areDates || areOfTwoSeries([first, second])) {
		return 'different';
	}
	const isSingle = isSingleIn(one, other) || isSingleIn(other, one);
	const isContinued = isContinuedIn(one, other) || isContinuedIn(other, one);
	const isReordered = isYearMoved(first, second) || haveSameParts(one, other);
	return isSingle || isContinued || isReordered ? 'extended' : 'different';
}

/** A short number at the end of a longer one, as that of a part or of a correction. */
const LAST_PART = /-\p{N}{1,2}\p{L}?(?!.*\p{N})/u;

/** Whether one match key has the whole number of another one, and a short one behind it: 24-54 and 24-54-1. */
function isContinuedIn(one: string, other: string): boolean {
	const first = splitNumber(one);
	const second = splitNumber(other.replace(LAST_PART, ''));
	return first !== undefined && second !== undefined && haveSameNumber(first, second);
}

/** Whether two numbers are one whose year comes last in one of them: 377-11-26 and 26-11-377. */
function isYearMoved(one: InvoiceNumber, other: InvoiceNumber): boolean {
	const first = { ...one, digits: withYearFirst(one.digits) };
	const second = { ...other, digits: withYearFirst(other.digits) };
	return haveSameNumber(first, second);
}

/**
 * Whether the last runs of two match keys have the same parts in another order: the year elsewhere, as in 2026-5-9 and
 * 5-2026-9, or a long part, as in 88-31765 and 31765-88. Short parts alone are two numbers: 1-2 is not 2-1.
 */
function haveSameParts(one: string, other: string): boolean {
	const parts = lastPartsIn(one);
	const otherParts = lastPartsIn(other);
	if (sortedPartsIn(one) !== sortedPartsIn(other)) {
		return false;
	}

	const numbers = parts.filter((part) => !isShortYear(part));
	const otherNumbers = otherParts.filter((part) => !isShortYear(part));
	const hasLongPart = numbers.some((number) => number.length >= 3);
	return hasLongPart || numbers.join('-') === otherNumbers.join('-');
}

/** The parts of the last run of a match key, each year with two digits. */
function lastPartsIn(matchKey: string): string[] {
	return lastRun(matchKey).split('-').map(withoutCentury);
}

/** Whether two numbers are the same in one of the ways in which they can be read. */
const haveSameNumber = (one: InvoiceNumber, other: InvoiceNumber): boolean =>
	waysToRead(one, other).filter(haveSameDigits).some(mayNameOneInvoice);

/** Two numbers that are compared. */
type Pair = [one: InvoiceNumber, other: InvoiceNumber];

/**
 * Two numbers in the ways in which they can be read: as they are, and as those of a month, so that 26-11-342 is 11-342
 * of 2026. Beside a whole date, only the latter counts. Beside one of a year, 26-34 is also 34 of 2026.
 */
function waysToRead(one: InvoiceNumber, other: InvoiceNumber): Pair[] {
	const ways: Pair[] = [];
	if (!isWholeDate(one) && !isWholeDate(other)) {
		ways.push([one, other]);
	}
	if (mayHaveMonth(one) && mayHaveMonth(other)) {
		ways.push([asOfMonth(one), asOfMonth(other)]);
	}
	const areNumbers = one.kind === 'number' && other.kind === 'number';
	if (areNumbers && (isOfYear(one) || isOfYear(other))) {
		ways.push([asOfYear(one), asOfYear(other)]);
	}
	return ways;
}

const isWholeDate = ({ kind, date }: InvoiceNumber): boolean =>
	kind === 'date' && date !== undefined;

/** Whether a number may begin with a month: 1042 does not, but 10-42 may, and so may 1042 of 2026. */
function mayHaveMonth(number: InvoiceNumber): boolean {
	return isOfYear(asOfMonth(number)) || number.digits.includes('-');
}

const isOfYear = ({ date }: InvoiceNumber): boolean => date !== undefined && isYear(date);

const asOfYear = (number: InvoiceNumber): InvoiceNumber => ({
	...number,
	...withoutShortYear(number),
});

const asOfMonth = (number: InvoiceNumber): InvoiceNumber =>
	number.kind === 'date' ? number : { ...number, ...withMonthFirst(number) };

/**
 * Whether two numbers with the same digits may name one invoice, whatever stands around them. Around a date, the
 * words tell payments apart: `may2026` is not `june2026`. Where both have a date beside the number, or one letter
 * before it as the name of a series, these tell them apart, too.
 */
function mayNameOneInvoice([one, other]: Pair): boolean {
	if (areOfTwoDates(one.date, other.date)) {
		return false;
	}
	if (one.kind === 'date' || other.kind === 'date') {
		return isPartOf(one.before, other.before) && isPartOf(one.behind, other.behind);
	}
	return !areOfTwoSeries([one, other]);
}

/** Whether two numbers have the same digits, with or without what separates their parts: 260044 is 26-44, which was 26-0044. */
const haveSameDigits = ([one, other]: Pair): boolean =>
	spellingPattern(one).test(other.digits) || spellingPattern(other).test(one.digits);

/** The separators of a number, and the zeros before its parts, may be written or left out. */
function spellingPattern({ digits, kind }: InvoiceNumber): RegExp {
	// The zeros that a date has here tell its day from a part of a longer number.
	const parts = digits.split(kind === 'date' ? '-' : /-0*/u);
	return new RegExp(`^0*${parts.join('-?0*')}$`);
}

/** Whether a single letter before each number names its series, such as in `a7` and `b7`. */
const areOfTwoSeries = ([one, other]: Pair): boolean =>
	one.before !== other.before && [one, other].every(({ before }) => /^\p{L}$/u.test(before));

/** Whether one of two texts is the beginning or the end of the other one. */
const isPartOf = (one: string, other: string): boolean =>
	isAtAnEndOf(one, other) || isAtAnEndOf(other, one);

const isAtAnEndOf = (part: string, text: string): boolean =>
	text.startsWith(part) || text.endsWith(part);
