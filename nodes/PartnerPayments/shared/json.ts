import type { IDataObject } from 'n8n-workflow';

import { InputError } from './inputError';

/** Whether a value is an object with named fields (no list, no null). */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON of a text, or the text itself when it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Reads a JSON object from what a field holds: text, an object by expression, or nothing. */
export function jsonObject(value: unknown, label: string): IDataObject {
	if (value === '' || value === undefined || value === null) return {};
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isRecord(parsed)) return { ...parsed };
	throw new InputError(
		`${label} is not a JSON object`,
		'Write it like { "reference": "PO-1042" }.',
	);
}
