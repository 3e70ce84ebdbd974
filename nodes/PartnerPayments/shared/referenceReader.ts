import { foldAddress } from './addresses';
import { excerpt, throwInputError } from './errors';
import { readText, throwInexactNumber } from './fieldReaders';
import { normalizeReference } from './references';

/** Names of payments are short; a reference is part of descriptions, and is kept permanently. */
const MAX_REFERENCE_LENGTH = 500;

/** What a program or a spreadsheet writes in place of a value that it does not have, or has rounded. */
const SPOILED = [
	/\ufffd/,
	// An expression that an earlier node or a file holds as text.
	/\{\{|\}\}/,
	/\[object \w+\]/i,
	/Invalid Date(?:Time)?/i,
	// Also right after a prefix, but not in longer words such as "nullify".
	/undefined/i,
	/(?:null|NaN)(?![\p{L}\p{N}])/u,
	// In other capitals it may be a code, such as NAN-1042, unless nothing comes after it.
	/(?<![\p{L}\p{N}])(?:null|nan)$/iu,
	/^(?:N\/A|none)$/i,
	/#¡?DIV\/0!/i,
	// Such as #N/A, which is #N/D, #N/B, or #I/T in other languages.
	/#\p{L}\/\p{L}(?![\p{L}\p{N}])/u,
	/#NV$/,
	/#[¡¿]?\p{Lu}+[!?]/u,
	// A column that is too narrow, and a cell that is not there yet.
	/^#{3,}$/,
	/^Loading\.{3}$/i,
	/^-?Infinity$/,
	// As spreadsheets and programs write an exponent. 1E5-A may be the number of an invoice.
	/\d[.,]\d+E[+-]?\d+/i,
	/\dE\+\d+/i,
];

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
			'Check whether the field after it is empty.',
		);
	}
	return reference || undefined;
}

const throwTooLong = (subject: string): never =>
	throwInputError(
		`${subject} is longer than ${MAX_REFERENCE_LENGTH} characters`,
		'Give a short name, such as an invoice number.',
	);

/** Throws for a reference that another invoice could get as well. */
function assertTelling(reference: string, subject: string): void {
	for (const pattern of SPOILED) {
		const [spoiled] = pattern.exec(reference) ?? [];
		if (spoiled === undefined) {
			continue;
		}
		throwInputError(
			`${subject} "${excerpt(reference)}" holds "${spoiled}", so it names no single invoice`,
			'Another invoice could get the same. Correct the field or expression that it comes from. In a spreadsheet, format the column as plain text, and enter the numbers again.',
		);
	}
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
