import { hasLetterOrDigit } from './spoiledReferences';

/** White space, and the blank Braille pattern: it looks like a space, and is none for Unicode. */
const WHITE_SPACE = /[\s\u2800]+/gu;
/** Invisible characters that a copied text may hold. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A unique reference in the form in which references are compared; empty when nothing is left of it. */
export const normalizeReference = (text: string): string =>
	text
		.replace(WHITE_SPACE, ' ')
		.replace(INVISIBLE, '')
		.normalize('NFKC')
		.replace(WHITE_SPACE, ' ')
		.trim();

/** The last range counts as letters for Unicode, and looks like apostrophes. */
const SEPARATORS = /[\s\p{P}\p{S}\u02b9-\u02bf]+/gu;
/** Any but one between two digits: without that one, 1-23 and 12-3 would be the same. */
const NEEDLESS_SEPARATOR = /(?<!\p{N})-|-(?!\p{N})/gu;
/** Zeros before a number, or a number with a separator between its thousands: zeros inside it belong to it. */
const LEADING_ZEROS_OR_THOUSANDS =
	/(?<!\p{N})0+(?=\p{N})|(?<![\p{N}-])\p{N}{1,3}(?:-\p{N}{3})+(?:-0)?(?![\p{N}-])/gu;
const DECIMAL_DIGIT = /^\p{Nd}$/u;

/**
 * The key under which references match: what is left without capitals, leading zeros, and the
 * separators of its parts, which people overlook. A reference without letters and digits is its own
 * key.
 */
export function matchKeyOf(reference: string): string {
	const normal = normalizeReference(reference);
	if (!hasLetterOrDigit(normal)) {
		return normal;
	}

	// Twice, since each of the two steps may yield what the other one changes (Unicode, D146).
	const once = foldCharacters(normal).normalize('NFKC');
	const plain = foldCharacters(once).normalize('NFKC');

	const separated = plain.replace(SEPARATORS, '-').replace(NEEDLESS_SEPARATOR, '');
	return separated.replace(LEADING_ZEROS_OR_THOUSANDS, withoutLeadingZeros).normalize('NFKC');
}

/** Removes zeros that stand alone, and those at the beginning of a number with thousands. */
const withoutLeadingZeros = (digits: string): string =>
	digits.includes('-') ? digits.replace(/^0+(?=\p{N})/u, '') : '';

/** A run of digits in a match key, with what separates them, and a single letter behind it, such as in 1042a. */
const NUMBERS = /\p{N}[\p{N}-]*(?:\p{L}(?!\p{L}))?/gu;

/** A year, a month, or a day, as a match key has it: 2026, 2026-11, 2026-11-25, 11-2026, 25-11-2026, or 20261125. */
const DATE = /^(?:(?:19|20)\d\d(?:-\d{1,2}){0,2}|(?:\d{1,2}-){1,2}(?:19|20)\d\d|(?:19|20)\d{6})$/u;

/** A date or a month behind a number. */
const DATE_BEHIND =
	/-(?:(?:19|20)\d\d-\d{1,2}(?:-\d{1,2})?|(?:\d{1,2}-)?\d{1,2}-(?:19|20)\d\d|(?:19|20)\d{6})$/u;

/** A day, as a match key has it. */
const DAY = String.raw`(?:(?:19|20)\d\d-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-(?:19|20)\d\d|(?:19|20)\d{6})`;

/** A year before or behind a number of at least three digits, as in 2026-1042 and 1042-2026. */
const YEAR_BEFORE = /^(?:19|20)\d\d-(?=\p{N}{3,}\p{L}?$)/u;
const YEAR_BEHIND = /(?<=\p{N}{3,})-(?:19|20)\d\d$/u;
/** The same, where what stands before the number ends, and where what stands behind it begins. */
const YEAR_AT_END = /(?:19|20)\d\d-$/u;
const YEAR_AT_START = /^-(?:19|20)\d\d(?!\p{N})/u;

/** A year alone, or the year of a date. */
const YEAR = /(?:19|20)\d\d/u;

/** What stands before the number of an order, which people write beside that of the invoice. */
const ORDER_WORD =
	/(?<!\p{L})(?:po|purchaseorder|order|bestellung|auftrag|commande|pedido|ordine)(?:no|nr|number)?$/u;

/** Letters that look like digits, between or behind digits. */
const LOOK_ALIKES = /(?<=\p{N})[oil]+(?!\p{L})/gu;

/** A day before a number. */
const DAY_BEFORE = new RegExp(String.raw`^${DAY}-(?=\p{N})`, 'u');
/** The same, where what stands before the number ends. */
const DAY_AT_END = new RegExp(`${DAY}-$`, 'u');

/** What a spreadsheet writes behind a whole number. */
const ZERO_BEHIND = /-0$/u;

/** The number of a match key, and what people write around it. */
interface InvoiceNumber {
	before: string;
	/** Without what separates its digits. */
	number: string;
	/** The same, where what looks like thousands are parts of a number: `26-042` is 2642 then, as `26-42` is. */
	numberOfParts: string;
	behind: string;
	/** Around a date, which is all that `may2026` has, the words tell payments apart. */
	kind: 'number' | 'date' | 'none';
}

/**
 * Finds the last number of a match key that is neither a date nor that of an order, or else the first date. A key
 * without a number is its own number.
 */
function splitNumber(key: string): InvoiceNumber {
	const matchKey = key.replace(LOOK_ALIKES, digitsFor);
	const runs = [...matchKey.matchAll(NUMBERS)];
	const numbers = runs.filter(([digits]) => !DATE.test(digits));
	const ofInvoices = numbers.filter(({ index }) => !ORDER_WORD.test(matchKey.slice(0, index)));
	const run = ofInvoices.at(-1) ?? numbers.at(-1) ?? runs[0];
	if (run === undefined) {
		return { before: '', number: matchKey, numberOfParts: matchKey, behind: '', kind: 'none' };
	}

	const [digits] = run;
	if (numbers.length === 0) {
		return splitAt(matchKey, run.index, digits.replace(ZERO_BEHIND, ''), 'date');
	}
	const [date = ''] = DAY_BEFORE.exec(digits) ?? YEAR_BEFORE.exec(digits) ?? [];
	const number = digits
		.slice(date.length)
		.replace(DATE_BEHIND, '')
		.replace(YEAR_BEHIND, '')
		.replace(ZERO_BEHIND, '');
	return splitAt(matchKey, run.index + date.length, number, 'number');
}

/** The digits that letters look like: o is 0, and i and l are 1. */
const digitsFor = (letters: string): string => letters.replaceAll('o', '0').replace(/[il]/g, '1');

/** Splits a match key at a number that begins at an index. */
const splitAt = (
	matchKey: string,
	index: number,
	number: string,
	kind: InvoiceNumber['kind'],
): InvoiceNumber => ({
	before: matchKey.slice(0, index),
	number: number.replaceAll('-', ''),
	numberOfParts: number.replace(/-0*/gu, ''),
	behind: matchKey.slice(index + number.length),
	kind,
});

/**
 * What all match keys share that are similar: the number without what stands around it, and without its zeros. Of
 * `invoice1042corrected` it is `142`.
 */
export function sharedNumberIn(matchKey: string): string {
	const { number, kind } = splitNumber(matchKey);
	const digits = number.replaceAll('0', '');
	return kind === 'none' || digits === '' ? number : digits;
}

/** Whether a reference has a number that is no date, as an invoice has. */
export const hasOwnNumber = (reference: string): boolean =>
	splitNumber(matchKeyOf(reference)).kind === 'number';

/**
 * The match key that another one extends by a part: `inv7` for `inv7-2` and `inv7a`. People name the rest of an
 * invoice so. Undefined for a key that extends none.
 */
export function extendedKeyIn(matchKey: string): string | undefined {
	return /^(.*\p{N})(?:-\p{N}{1,2}|\p{L})$/u.exec(matchKey)?.[1];
}

/**
 * Whether two match keys that differ may be one invoice: they have the same number, whatever stands around
 * it. Around a date, the words tell payments apart: `may2026` is not similar to `june2026`. Where both have a
 * date beside the number, or one letter before it as the name of a series, these tell them apart, too.
 */
export function isSimilar(one: string, other: string): boolean {
	const first = splitNumber(one);
	const second = splitNumber(other);
	const isSameNumber =
		first.number === second.number || first.numberOfParts === second.numberOfParts;
	if (one === other || !isSameNumber) {
		return false;
	}
	if (first.kind === 'date' || second.kind === 'date') {
		return isPartOf(first.before, second.before) && isPartOf(first.behind, second.behind);
	}
	return !areOfTwoSeries(first, second) && !areOfTwoDates(dateBeside(first), dateBeside(second));
}

/** Whether a single letter before each number names its series, such as in `a7` and `b7`. */
const areOfTwoSeries = (one: InvoiceNumber, other: InvoiceNumber): boolean =>
	one.before !== other.before && [one, other].every(({ before }) => /^\p{L}$/u.test(before));

/** Whether two dates differ. A year alone is that of each date in it. */
function areOfTwoDates(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined || one === other) {
		return false;
	}
	const isOneYear = YEAR.exec(one)?.[0] === YEAR.exec(other)?.[0];
	const isYearAlone = one.length === 4 || other.length === 4;
	return !(isYearAlone && isOneYear);
}
/** The date that stands directly beside a number, if one does. */
function dateBeside({ before, behind }: InvoiceNumber): string | undefined {
	const [date] =
		DATE_BEHIND.exec(behind) ??
		DAY_AT_END.exec(before) ??
		YEAR_AT_START.exec(behind) ??
		YEAR_AT_END.exec(before) ??
		[];
	return date?.replace(/^-|-$/gu, '');
}

/** Whether one of two texts is the beginning or the end of the other one. */
function isPartOf(one: string, other: string): boolean {
	const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
	return longer.startsWith(shorter) || longer.endsWith(shorter);
}

/**
 * Folds each character by itself, since the Greek small sigma depends on what follows. Upper case comes
 * between, since some letters are only the same there.
 */
const foldCharacters = (text: string): string => Array.from(text, foldCharacter).join('');

const foldCharacter = (character: string): string =>
	DECIMAL_DIGIT.test(character)
		? digitValue(character)
		: character.toLowerCase().toUpperCase().toLowerCase();

/** Unicode has the decimal digits of each script together, from zero to nine. */
function digitValue(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let zero = code;
	while (DECIMAL_DIGIT.test(String.fromCodePoint(zero - 1))) {
		zero -= 1;
	}
	return String((code - zero) % 10);
}
