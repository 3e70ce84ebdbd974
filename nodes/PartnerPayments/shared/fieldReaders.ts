import { isResourceLocatorValue } from 'n8n-workflow';

import { excerpt, kindOf, throwInputError } from './errors';
import { isEmpty } from './typeGuards';

const CHECK_EXPRESSION = 'Check the expression that it comes from.';

/** Reads a text without white space at its ends, undefined for nothing. A number is taken as it is written. */
export function readText(value: unknown, label: string, wanted = 'a text'): string | undefined {
	if (isEmpty(value)) {
		return undefined;
	}
	if (typeof value === 'string') {
		return value.trim() || undefined;
	}
	if (typeof value !== 'number') {
		return throwWrongKind(value, label, wanted);
	}
	return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : throwInexactNumber(label);
}

/** Reads a value that is true or false, undefined for nothing. Tables and forms return it as a text. */
export function readFlag(value: unknown, label: string): boolean | undefined {
	const written = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (isEmpty(written)) {
		return undefined;
	}
	if (written === true || written === 'true') {
		return true;
	}
	if (written === false || written === 'false') {
		return false;
	}
	if (typeof written !== 'string') {
		return throwWrongKind(value, label, 'true or false');
	}
	return throwInputError(`${label} "${excerpt(written)}" is not true or false`, CHECK_EXPRESSION);
}

/** Reads the texts of a list, or of a text with commas; empty ones are left out. */
export function readTexts(value: unknown, label: string): string[] {
	const entries = Array.isArray(value) ? value : (readText(value, label) ?? '').split(',');
	return entries.flatMap((entry) => readText(entry, `An entry of ${label}`) ?? []);
}

const throwWrongKind = (value: unknown, label: string, wanted: string): never =>
	throwInputError(`${label} is ${kindOf(value)}, not ${wanted}`, CHECK_EXPRESSION);

/** Throws for a number that JavaScript has rounded, or for NaN. */
export const throwInexactNumber = (label: string): never =>
	throwInputError(
		`${label} is a number that is not exact`,
		'Programs round numbers of more than 15 digits, so that several become one. Format the column as plain text where it comes from, and enter the numbers again. In a node, keep it as a text, such as "INV-1042".',
	);

/** The value of a resource locator, or of another field. */
export const readLocatorValue = (field: unknown): unknown =>
	isResourceLocatorValue(field) ? field.value : field;
