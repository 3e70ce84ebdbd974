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

/** The letters that look like apostrophes are left out. */
const LETTER_OR_DIGIT = /(?![\u02b9-\u02bf])[\p{L}\p{N}]/u;
/** The last range counts as letters for Unicode, and looks like apostrophes. */
const SEPARATORS = /[\s\p{P}\p{S}\u02b9-\u02bf]+/gu;
/** Any but one between two digits: without that one, 1-23 and 12-3 would be the same. */
const NEEDLESS_SEPARATOR = /(?<!\p{N})-|-(?!\p{N})/gu;
const LEADING_ZEROS = /(?<!\p{N})0+(?=\p{N})/gu;
const DECIMAL_DIGIT = /^\p{Nd}$/u;

/**
 * The key under which references match: what is left without capitals, leading zeros, and the
 * separators of its parts, which people overlook. A reference without letters and digits is its own
 * key.
 */
export function matchKeyOf(reference: string): string {
	const normal = normalizeReference(reference);
	if (!LETTER_OR_DIGIT.test(normal)) {
		return normal;
	}

	// Twice, since each of the two steps may yield what the other one changes (Unicode, D146).
	const once = foldCharacters(normal).normalize('NFKC');
	const plain = foldCharacters(once).normalize('NFKC');

	const separated = plain.replace(SEPARATORS, '-').replace(NEEDLESS_SEPARATOR, '');
	return separated.replace(LEADING_ZEROS, '').normalize('NFKC');
}

/** A run of digits in a match key, with what separates them, and a single letter behind it, such as in 1042a. */
const NUMBERS = /\p{N}[\p{N}-]*(?:\p{L}(?!\p{L}))?/gu;

/** A year, a month, or a day, as a match key has it: 2026, 2026-11, 2026-11-25, 11-2026, 25-11-2026, or 20261125. */
const DATE = /^(?:(?:19|20)\d\d(?:-\d{1,2}){0,2}|(?:\d{1,2}-){1,2}(?:19|20)\d\d|(?:19|20)\d{6})$/u;

/** A date or a month behind a number. */
const DATE_BEHIND =
	/-(?:(?:19|20)\d\d-\d{1,2}(?:-\d{1,2})?|(?:\d{1,2}-)?\d{1,2}-(?:19|20)\d\d|(?:19|20)\d{6})$/u;

/** A day, as a match key has it. */
const DAY = String.raw`(?:(?:19|20)\d\d-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-(?:19|20)\d\d|(?:19|20)\d{6})`;

/** A day before a number. A year or a month there belongs to the number, as in 2026-1042. */
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
	behind: string;
	/** Around a date, which is all that `may2026` has, the words tell payments apart. */
	kind: 'number' | 'date' | 'none';
}

/** Finds the last number of a match key that is no date, or else the first date. A key without a number is its own number. */
function splitNumber(matchKey: string): InvoiceNumber {
	const runs = [...matchKey.matchAll(NUMBERS)];
	const numbers = runs.filter(([digits]) => !DATE.test(digits));
	const run = numbers.at(-1) ?? runs[0];
	if (run === undefined) {
		return { before: '', number: matchKey, behind: '', kind: 'none' };
	}

	const [digits] = run;
	if (numbers.length === 0) {
		return splitAt(matchKey, run.index, digits.replace(ZERO_BEHIND, ''), 'date');
	}
	const [day = ''] = DAY_BEFORE.exec(digits) ?? [];
	const number = digits.slice(day.length).replace(DATE_BEHIND, '').replace(ZERO_BEHIND, '');
	return splitAt(matchKey, run.index + day.length, number, 'number');
}

/** Splits a match key at a number that begins at an index. */
const splitAt = (
	matchKey: string,
	index: number,
	number: string,
	kind: InvoiceNumber['kind'],
): InvoiceNumber => ({
	before: matchKey.slice(0, index),
	number: number.replaceAll('-', ''),
	behind: matchKey.slice(index + number.length),
	kind,
});

/** The number of a match key, without what stands around it: of `invoice1042corrected` it is `1042`. */
export const numberIn = (matchKey: string): string => splitNumber(matchKey).number;

/** Whether a reference has a number that is no date, as an invoice has. */
export const hasOwnNumber = (reference: string): boolean =>
	splitNumber(matchKeyOf(reference)).kind === 'number';

/**
 * Whether two match keys that differ may be one invoice: they have the same number, whatever stands around
 * it. Around a date, the words tell payments apart: `may2026` is not similar to `june2026`. A date beside the
 * number tells them apart, too, where both have one.
 */
export function isSimilar(one: string, other: string): boolean {
	const first = splitNumber(one);
	const second = splitNumber(other);
	if (one === other || first.number !== second.number) {
		return false;
	}
	if (first.kind === 'date' || second.kind === 'date') {
		return isPartOf(first.before, second.before) && isPartOf(first.behind, second.behind);
	}
	const firstDate = dateBeside(first);
	const secondDate = dateBeside(second);
	return firstDate === undefined || secondDate === undefined || firstDate === secondDate;
}

/** The date that stands directly beside a number, if one does. */
function dateBeside({ before, behind }: InvoiceNumber): string | undefined {
	const [date] = DATE_BEHIND.exec(behind) ?? DAY_AT_END.exec(before) ?? [];
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
