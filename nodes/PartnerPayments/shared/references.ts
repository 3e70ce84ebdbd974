import { foldAddress } from './addresses';
import { excerpt, throwInputError } from './errors';
import { readText, throwInexactNumber } from './fieldReaders';
import { hasLetterOrDigit, spoiledPart } from './spoiledReferences';

/** Names of payments are short; a reference is part of descriptions, and is kept permanently. */
const MAX_REFERENCE_LENGTH = 500;

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
const LEADING_ZEROS = /(?<!\p{N})0+(?=\p{N})/gu;
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
	const dates = [first, second].flatMap((split) => dateBeside(split) ?? []);
	return new Set(dates).size < 2;
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

/** Reads a unique reference as references are compared; undefined when nothing is left of it. */
export function readReference(value: unknown, label: string): string | undefined {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throwInexactNumber(label);
	}
	const text = readText(value, label) ?? '';
	if (text.length > MAX_REFERENCE_LENGTH) {
		throwTooLong(label);
	}

	const reference = normalizeReference(text);
	// Normalization can turn one character into eighteen.
	if (reference.length > MAX_REFERENCE_LENGTH) {
		throwTooLong(label);
	}
	assertTelling(reference, label);
	if (/[[\]]/.test(reference)) {
		throwInputError(
			`${label} "${excerpt(reference)}" has a bracket`,
			'Descriptions hold references in brackets, so that a person can search for one. Write it without "[" and "]". If an earlier payout used it, check first that it was not paid.',
		);
	}
	if (/[-_/:#]$/.test(reference)) {
		throwInputError(
			`${label} ends with "${reference.slice(-1)}"`,
			'Check whether the field after it is empty.',
		);
	}
	return reference || undefined;
}

const throwTooLong = (label: string): never =>
	throwInputError(
		`${label} is longer than ${MAX_REFERENCE_LENGTH} characters`,
		'Give a short name, such as an invoice number.',
	);

/** Throws for a reference that another invoice could get as well. */
function assertTelling(reference: string, label: string): void {
	const spoiled = spoiledPart(reference);
	if (spoiled === undefined) {
		return;
	}
	const reason = hasLetterOrDigit(reference) ? `holds "${spoiled}"` : 'has no letter or digit';
	throwInputError(
		`${label} "${excerpt(reference)}" ${reason}, so it names no single invoice`,
		'Another invoice could get the same. Correct the field or expression that it comes from. In a spreadsheet, format the column as plain text, and enter the numbers again.',
	);
}

/**
 * Throws for a reference that a person has composed of the payee's address and something else: a
 * payment is named by vendor and invoice number, and the vendor is known.
 *
 * @param reference as from `readReference`
 * @param payee an email address; a service ID may be part of a reference
 */
export function assertNotComposed(reference: string, payee: string): void {
	const address = foldAddress(normalizeReference(payee));
	if (!address.includes('@') || !foldAddress(reference).includes(address)) {
		return;
	}
	throwInputError(
		'"Unique Reference" contains the address of the payee',
		'Write only what stands on the invoice, such as INV-1042: the payee is known already. If an earlier payout used this reference, check first that it was not paid.',
	);
}
