import { InputError } from './inputError';
import { inexactError, readText } from './values';

/** Names of payments are short; a reference is part of descriptions, and is kept for good. */
const MAX_LENGTH = 500;

/** White space of every kind; the blank of Braille looks like it, and is none for Unicode. */
const WHITE_SPACE = /[\s\u2800]+/gu;
/** Characters that nobody sees and that a copied text may hold. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const DASHES = /[\p{Pd}\u02d7\u2043\u2212\u23af\u2500\u2796]/gu;

/** A unique reference in the form in which references are compared; empty when nothing is left of it. */
export const normalizeReference = (text: string): string =>
	text
		.replace(WHITE_SPACE, ' ')
		.replace(INVISIBLE, '')
		.normalize('NFKC')
		.replace(WHITE_SPACE, ' ')
		.trim();

/** A reference without what people overlook: its capitals, and which dashes it has. */
export const foldReference = (reference: string): string =>
	reference.replace(DASHES, '-').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');

/**
 * Reads a unique reference from what a field holds.
 *
 * @returns it as references are compared, undefined when nothing is left of it
 */
export function readReference(value: unknown, label: string): string | undefined {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) throw inexactError(label);
	const text = readText(value, label) ?? '';
	// One character of another script may become eighteen.
	const reference = text.length <= MAX_LENGTH ? normalizeReference(text) : text;
	if (reference.length <= MAX_LENGTH) return reference || undefined;
	throw new InputError(
		`${label} is longer than ${MAX_LENGTH} characters`,
		'Give a short name, such as an invoice number.',
	);
}
