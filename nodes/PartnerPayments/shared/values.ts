import { InputError } from './inputError';

export const ENTER_IT = 'Enter it, or check the expression that it comes from.';
const CHECK_EXPRESSION = 'Check the expression that it comes from.';
const MAX_EXCERPT = 60;

/** Whether a field was left empty, or is not shown. */
export const isEmpty = (value: unknown): value is '' | null | undefined =>
	value === '' || value === undefined || value === null;

/** A text, empty in place of anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a text without blanks at its ends, undefined for nothing. A number is taken as it is written. */
export function readText(value: unknown, label: string): string | undefined {
	if (isEmpty(value)) return undefined;
	assertResolved(value, label);
	if (typeof value === 'number') {
		if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
		throw inexactError(label);
	}
	if (typeof value === 'string') return value.trim() || undefined;
	throw wrongKindError(value, label, 'a text');
}

/** Reads what is true or false, undefined for nothing. Tables and forms hand it over as a text. */
export function readFlag(value: unknown, label: string): boolean | undefined {
	const written = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (isEmpty(written)) return undefined;
	if (written === true || written === 'true') return true;
	if (written === false || written === 'false') return false;
	if (typeof written !== 'string') throw wrongKindError(value, label, 'true or false');
	throw new InputError(`${label} "${excerpt(written)}" is not true or false`, CHECK_EXPRESSION);
}

/** Reads the texts of a list, or of a text with commas; blank ones are left out. */
export function readTexts(value: unknown, label: string): string[] {
	const entries: unknown[] = Array.isArray(value)
		? value
		: (readText(value, label) ?? '').split(',');
	return entries.flatMap((entry) => readText(entry, `An entry of ${label}`) ?? []);
}

/**
 * A field that is set to Fixed hands on an expression as it was typed: one reference for all payments.
 * And n8n's editor closes braces by itself, so that whoever types them leaves two of them too many.
 */
export function assertResolved(value: unknown, label: string): void {
	if (typeof value !== 'string' || !/\{\{|\}\}/.test(value)) return;
	throw new InputError(
		`${label} holds braces of an expression: "${excerpt(value.trim())}"`,
		value.includes('{{')
			? 'Point at the field and choose Expression instead of Fixed.'
			: 'n8n closes braces by itself: delete the second "}}" at the end of the expression.',
	);
}

/** The error for a value that is something else than what a field is for, such as "a number". */
export const wrongKindError = (value: unknown, label: string, wanted: string): InputError =>
	new InputError(`${label} is ${kindOf(value)}, not ${wanted}`, CHECK_EXPRESSION);

/** The error for a number that JavaScript has rounded, or that is none. */
export const inexactError = (label: string): InputError =>
	new InputError(
		`${label} is a number that is not exact`,
		'Give it as a text, such as "INV-1042".',
	);

/** What a value is, for an error. */
export function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'boolean') return String(value);
	if (isEmpty(value)) return 'nothing';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The beginning of a text, for an error that repeats it. */
export const excerpt = (text: string): string =>
	text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;

/** What mail servers take at most (RFC 5321 §4.5.3.1.3, without the brackets). */
const MAX_EMAIL_LENGTH = 254;
/**
 * One "@", and nothing that would make two addresses of it, or a name and an address, or that nobody
 * sees, such as a mark that turns what follows around.
 */
const EMAIL_ADDRESS = /^[^\s@,;<>\p{C}]+@(?<domain>[^\s@,;<>\p{C}]+)$/u;

/** Whether a text is one e-mail address, as far as its form tells. */
export function isEmailAddress(text: string): boolean {
	const domain = EMAIL_ADDRESS.exec(text)?.groups?.domain ?? '';
	return text.length <= MAX_EMAIL_LENGTH && domain.slice(1, -1).includes('.');
}

/**
 * Whether two texts are the same address. Only plain letters are the same in capitals: the Kelvin sign
 * becomes a "k" in small letters, and is part of another address.
 */
export const isSameAddress = (one: string, other: string): boolean =>
	withoutCapitals(one) === withoutCapitals(other);

const withoutCapitals = (text: string): string =>
	text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
