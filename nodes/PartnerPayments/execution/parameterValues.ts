import { InputError } from '../shared/inputError';

/** @throws InputError always */
export function reject(message: string, hint: string): never {
	throw new InputError(message, hint);
}

/** Whether a field was left empty, or is not shown. */
export function isEmpty(value: unknown): value is '' | null | undefined {
	return value === '' || value === undefined || value === null;
}

/** The entries of a text with commas or of a list. */
export function texts(value: unknown): string[] {
	const parts: unknown[] = Array.isArray(value) ? value : toText(value).split(',');
	return parts.map((part) => toText(part).trim()).filter((text) => text !== '');
}

/** A text or a number as a text; anything else is no text. */
export function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
