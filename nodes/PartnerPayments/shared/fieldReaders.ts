import { isResourceLocatorValue } from 'n8n-workflow';

import { excerpt, kindOf, throwInputError } from './errors';
import { isEmpty } from './typeGuards';

/*
 * The readers of the values that fields have. `subject` is what a message calls the value, at its beginning: a
 * field's name in quotation marks, or words such as "The amount of line item 2".
 */

const CHECK_EXPRESSION = 'Check the expression that it comes from.';

/** Reads a text without white space at its ends, undefined for nothing. A number is taken as it is written. */
export function readText(value: unknown, subject: string, wanted = 'a text'): string | undefined {
	if (isEmpty(value)) {
		return undefined;
	}
	if (typeof value === 'string') {
		return value.trim() || undefined;
	}
	if (typeof value !== 'number') {
		return throwWrongKind(value, subject, wanted);
	}
	return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : throwInexactNumber(subject);
}

/** Reads a value that is true or false, undefined for nothing. Tables and forms return it as a text. */
export function readFlag(value: unknown, subject: string): boolean | undefined {
	const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (isEmpty(plain)) {
		return undefined;
	}
	if (plain === true || plain === 'true') {
		return true;
	}
	if (plain === false || plain === 'false') {
		return false;
	}
	if (typeof plain !== 'string') {
		return throwWrongKind(value, subject, 'true or false');
	}
	return throwInputError(`${subject} "${excerpt(plain)}" is not true or false`, CHECK_EXPRESSION);
}

/** Reads the texts of a list, or of a text with commas; empty ones are left out. */
export function readTexts(value: unknown, subject: string): string[] {
	const entries = Array.isArray(value) ? value : (readText(value, subject) ?? '').split(',');
	return entries.flatMap((entry) => readText(entry, `An entry of ${subject}`) ?? []);
}

const throwWrongKind = (value: unknown, subject: string, wanted: string): never =>
	throwInputError(`${subject} is ${kindOf(value)}, not ${wanted}`, CHECK_EXPRESSION);

/** Throws for a number that JavaScript has rounded, or for NaN. */
export const throwInexactNumber = (subject: string): never =>
	throwInputError(
		`${subject} is a number that is not exact`,
		'Programs round numbers of more than 15 digits, so that several become one. Format the column as plain text where it comes from, and enter the numbers again. In a node, keep it as a text, such as "INV-1042".',
	);

/** The value of a resource locator, or of another field. */
export const readLocatorValue = (field: unknown): unknown =>
	isResourceLocatorValue(field) ? field.value : field;
