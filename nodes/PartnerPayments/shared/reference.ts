import { InputError } from './inputError';
import { inexactError, readText } from './values';

/** Names of payments are short; a reference is part of descriptions, and is kept for good. */
const MAX_LENGTH = 500;

/** Characters that nobody sees and that a copied text may hold: controls, formats, halves of pairs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * A unique reference in the form in which references are compared; empty when nothing is left of it.
 * Invisible characters go first, since one between a letter and its accent keeps them apart.
 */
export const normalizeReference = (text: string): string =>
	text.replace(INVISIBLE, '').normalize('NFC').trim();

/** A reference without its capitals: people may take two that differ in nothing else for one. */
export const foldReference = (reference: string): string => reference.toLowerCase();

/** How else people write a reference: in capitals, in small letters, and with one capital first. */
export function otherSpellings(reference: string): string[] {
	const [capitals, letters] = [reference.toUpperCase(), reference.toLowerCase()];
	const spellings = new Set([capitals, letters, capitals.slice(0, 1) + letters.slice(1)]);
	return [...spellings].filter((spelling) => spelling !== reference);
}

/**
 * Reads a unique reference from what a field holds.
 *
 * @param label the field's name in the editor
 * @returns it as references are compared, undefined when nothing is left of it
 * @throws InputError when it is no text, too long, or a number that is not exact
 */
export function readReference(value: unknown, label: string): string | undefined {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) throw inexactError(label);
	const text = readText(value, label) ?? '';
	if (text.length > MAX_LENGTH) {
		throw new InputError(
			`${label} is longer than ${MAX_LENGTH} characters`,
			'Give a short name, such as an invoice number.',
		);
	}
	return normalizeReference(text) || undefined;
}
