import { foldAddress } from './addresses';
import { excerpt, throwInputError } from './errors';
import { readText, throwInexactNumber } from './fieldReaders';
import { normalizeReference } from './references';
import { hasLetterOrDigit, spoiledPart } from './spoiledReferences';

/** Names of payments are short; a reference is part of descriptions, and is kept permanently. */
const MAX_REFERENCE_LENGTH = 500;

/**
 * Reads a unique reference as references are compared; undefined when nothing is left of it.
 *
 * @param subject what a message calls it, such as a field's name in quotation marks
 */
export function readReference(value: unknown, subject: string): string | undefined {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throwInexactNumber(subject);
	}
	const text = readText(value, subject) ?? '';
	if (text.length > MAX_REFERENCE_LENGTH) {
		throwTooLong(subject);
	}

	const reference = normalizeReference(text);
	// Normalization can turn one character into eighteen.
	if (reference.length > MAX_REFERENCE_LENGTH) {
		throwTooLong(subject);
	}
	assertTelling(reference, subject);
	if (/[[\]]/.test(reference)) {
		throwInputError(
			`${subject} "${excerpt(reference)}" has a bracket`,
			'Descriptions hold references in brackets, so that a person can search for one. Write it without "[" and "]". If an earlier payout used it, check first that it was not paid.',
		);
	}
	if (/[-_/:#]$/.test(reference)) {
		throwInputError(
			`${subject} ends with "${reference.slice(-1)}"`,
			'If a field should follow, it is empty: fill it in. If the invoice number itself ends so, leave that character out.',
		);
	}
	return reference || undefined;
}

const throwTooLong = (subject: string): never =>
	throwInputError(
		`${subject} is longer than ${MAX_REFERENCE_LENGTH} characters`,
		'Enter only the number of the invoice. If an earlier payout used this reference, first check that it was not paid.',
	);

/** Throws for a reference that another invoice could get as well. */
function assertTelling(reference: string, subject: string): void {
	const spoiled = spoiledPart(reference);
	if (spoiled === undefined) {
		return;
	}
	const reason = hasLetterOrDigit(reference) ? `holds "${spoiled}"` : 'has no letter or digit';
	throwInputError(
		`${subject} "${excerpt(reference)}" ${reason}, so it names no single invoice`,
		'Another invoice could get the same. Enter the number that stands on the invoice. In a spreadsheet, format the column as plain text before that.',
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
