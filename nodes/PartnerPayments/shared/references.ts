import { memoized } from './memo';
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
/** A separator counts only between two digits: without it, 1-23 and 12-3 would be the same. */
const NEEDLESS_SEPARATOR = /(?<!\p{N})-|-(?!\p{N})/gu;
/**
 * Zeros before a number, or a number with a separator between its thousands, with the -0 that a spreadsheet writes behind
 * one: zeros inside it belong to it.
 */
const LEADING_ZEROS_OR_THOUSANDS =
	/(?<!\p{N})0+(?=\p{N})|(?<![\p{N}-])\p{N}{1,3}(?:-\p{N}{3})+(?:-0)?(?![\p{N}-])/gu;
/** Cyrillic and Greek letters that look like Latin ones, as small letters or as capitals. */
const LATIN_LETTERS = new Map([
	['а', 'a'],
	['е', 'e'],
	['о', 'o'],
	['р', 'p'],
	['с', 'c'],
	['х', 'x'],
	['у', 'y'],
	['к', 'k'],
	['м', 'm'],
	['т', 't'],
	['в', 'b'],
	['н', 'h'],
	['і', 'i'],
	['ј', 'j'],
	['ѕ', 's'],
	['α', 'a'],
	['β', 'b'],
	['ε', 'e'],
	['ζ', 'z'],
	['η', 'h'],
	['ι', 'i'],
	['κ', 'k'],
	['μ', 'm'],
	['ν', 'n'],
	['ο', 'o'],
	['ρ', 'p'],
	['τ', 't'],
	['υ', 'y'],
	['χ', 'x'],
]);
const DECIMAL_DIGIT = /^\p{Nd}$/u;

/**
 * The key under which references match: what is left without capitals, leading zeros, and
 * separators, which people overlook. Those between two digits stay. A reference without letters and digits is its own
 * key.
 */
export const matchKeyOf = memoized((reference) =>
	keyWithZerosOf(reference)
		.replace(LEADING_ZEROS_OR_THOUSANDS, withoutLeadingZeros)
		.normalize('NFKC'),
);

/** The match key of a reference with its leading zeros, as people see them beside each other. */
export const keyWithZerosOf = memoized((reference) => {
	const normal = normalizeReference(reference);
	if (!hasLetterOrDigit(normal)) {
		return normal;
	}

	// Twice, since each of the two steps may yield what the other one changes (Unicode, D146).
	const once = foldCharacters(normal).normalize('NFKC');
	const plain = foldCharacters(once).normalize('NFKC');

	return plain.replace(SEPARATORS, '-').replace(NEEDLESS_SEPARATOR, '');
});

/** Removes zeros before a number, and those at the beginning of a number with thousands. */
const withoutLeadingZeros = (digits: string): string =>
	digits.includes('-') ? withoutZeros(digits) : '';

/** A number without the zeros before it; of 000, the last one stays. */
export const withoutZeros = (number: string): string => number.replace(/^0+(?=\p{N})/u, '');

/**
 * Folds each character by itself, since the Greek small sigma depends on what follows. Upper case comes
 * between, since some letters are only the same there.
 */
const foldCharacters = (text: string): string => Array.from(text, foldCharacter).join('');

const foldCharacter = memoized((character) => {
	if (DECIMAL_DIGIT.test(character)) {
		return digitValue(character);
	}
	const small = character.toLowerCase().toUpperCase().toLowerCase();
	return LATIN_LETTERS.get(small) ?? small;
});

/** Unicode has the decimal digits of each script together, from zero to nine. */
function digitValue(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let zero = code;
	while (DECIMAL_DIGIT.test(String.fromCodePoint(zero - 1))) {
		zero -= 1;
	}
	return String((code - zero) % 10);
}
