import {
	areOfTwoDates,
	type Dated,
	isDate,
	isShortYear,
	isYear,
	numberBehindYear,
	numberOfDate,
	withoutDates,
	withoutShortYears,
	withMonthFirst,
	withPlainDate,
	withoutShortYear,
	withShortYear,
	withYearFirst,
} from './invoiceDates';
import { haveSameWords, inOneOrder, wordsIn } from './invoiceWords';

/*
 * The number of an invoice in a match key, as from `matchKeyOf`, among dates, orders, and words around it.
 */

/** A run of digits with what separates them, and a single letter behind it, such as in 1042a. */
const RUNS = /\p{N}[\p{N}-]*(?:\p{L}(?![\p{L}\p{N}]))?/gu;

/** Letters that look like digits, between or behind digits. */
const LOOK_ALIKES = /(?<=\p{N})[oil]+(?!\p{L})/gu;

/** Those behind a few digits. Behind more, such as a year, a letter rather begins a number: `2026l444` is L-444. */
const LIKELY_LOOK_ALIKES = /(?<=(?<!\p{N})\p{N}{1,3})[oil]+(?!\p{L})/gu;

/** Those in a number. Zeros may be missing behind them, since the match key of `7O041` is `7o41`. */
const LOOK_ALIKES_INSIDE = /(?<=\p{N})[oil]+(?=\p{N})/gu;

/** What stands before the number of an order, which people write beside that of the invoice. */
const ORDER_WORD =
	/(?<!\p{L})(?:po|purchaseorder|order|bestellung|auftrag|commande|pedido|ordine)(?:no|nr|number)?$/u;

/** What a spreadsheet writes behind a whole number. */
const ZERO_BEHIND = /-0$/u;

/** A number with a separator between its thousands. */
const THOUSANDS = /^\p{N}{1,3}(?:-\p{N}{3})+$/u;

/** What joins the numbers of a list. */
const LIST_WORDS =
	/^(?:and|und|et|en|e|y|to|upto|till|until|thru|through|bis|tot|tm|a|au|hasta)?$/u;

/** How many numbers a range has at most, besides its first one. */
const MAX_RANGE = 20;

/** A run of a match key, without the dates beside its number. */
interface Found extends Dated {
	/** Where the run begins and ends in the match key. */
	start: number;
	end: number;
	/** An order's number counts if there is no other. */
	isOrder: boolean;
}

/** The number of a match key, and what people write around it. */
interface InvoiceNumber extends Dated {
	/** What stands before and behind the number and its dates. */
	before: string;
	behind: string;
	/** Around a date, which is all that `may2026` has, the words tell payments apart. */
	kind: 'number' | 'date';
}

/** The digits that letters look like: o is 0, and i and l are 1. */
const digitsFor = (letters: string): string => letters.replaceAll('o', '0').replace(/[il]/g, '1');

/** How a match key can be read: its letters that look like digits as digits, also before zeros, or as letters. */
const spellingsOf = (key: string): Set<string> =>
	new Set([
		key.replace(LOOK_ALIKES, digitsFor),
		key.replace(LOOK_ALIKES_INSIDE, (letters) => `${digitsFor(letters)}-`),
		key,
	]);

/** How a match key is most likely meant. */
const likelySpellingOf = (key: string): string => key.replace(LIKELY_LOOK_ALIKES, digitsFor);

/** What may be the number of an invoice in a match key, in the order in which it stands there. */
function findNumbers(matchKey: string): Found[] {
	const found: Found[] = [];
	for (const { 0: run, index: start } of matchKey.matchAll(RUNS)) {
		const end = start + run.length;
		const before = matchKey.slice(0, start);
		const behind = matchKey.slice(end);
		if (!isDate(run, before, behind)) {
			const { digits, date } = withoutDates(run, behind);
			const whole = digits.replace(ZERO_BEHIND, '');
			found.push({ start, end, date, ...withoutOrder(whole, before) });
		}
	}
	const ofInvoices = found.filter(({ isOrder }) => !isOrder);
	return ofInvoices.length > 0 ? ofInvoices : found;
}

/** Behind the word for an order, the first of several numbers is the order's: of `po7-1042`, 1042 is left. */
function withoutOrder(digits: string, before: string): Pick<Found, 'digits' | 'isOrder'> {
	if (!ORDER_WORD.test(before)) {
		return { digits, isOrder: false };
	}

	const separator = digits.indexOf('-');
	if (separator < 0) {
		return { digits, isOrder: true };
	}
	return { digits: digits.slice(separator + 1), isOrder: false };
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

/** The first run of digits, which is a date if the match key has no number. */
function firstRun(matchKey: string): RegExpExecArray | undefined {
	const [run] = matchKey.matchAll(RUNS);
	return run;
}

/** Whether a match key has a number that is no date, as that of an invoice has. */
export const hasOwnNumber = (matchKey: string): boolean =>
	splitNumber(likelySpellingOf(matchKey))?.kind === 'number';

/**
 * What match keys with the same number share: the number without what stands around it, as from `sharedDigitsOf`. Of
 * `invoice1042corrected` it is `142`. Words alone are their own number, in whichever order.
 */
export function sharedNumberIn(matchKey: string): string {
	const found = splitNumber(likelySpellingOf(matchKey));
	return found === undefined
		? inOneOrder(matchKey)
		: sharedDigitsOf(found.digits.replaceAll('-', ''));
}

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
export const sortedPartsIn = (matchKey: string): string => lastPartsIn(matchKey).sort().join('-');

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
	/** One has the single number of the other one, and more numbers, or has its parts or words in another order. */
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
	const isExtended = found.has('extended') || haveSameWords(one, other);
	return isExtended ? 'extended' : 'different';
}

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
	if (first?.kind !== 'number' || second?.kind !== 'number') {
		return false;
	}
	return haveSameNumber(first, second);
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
	const [run = ''] = [...matchKey.matchAll(RUNS)].at(-1) ?? [];
	return run.split('-').map((part) => (isYear(part) ? part.slice(2) : part));
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
		const plain = number.replace(/^0+(?=\p{N})/u, '');
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
function isSingleIn(one: string, other: string): boolean {
	const [single, ...more] = numbersWith('joined', one);
	if (single === undefined || more.length > 0) {
		return false;
	}
	const numbers = single.length >= 3 ? numbersIn(other) : firstNumbersIn(other);
	return numbers.includes(single);
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
