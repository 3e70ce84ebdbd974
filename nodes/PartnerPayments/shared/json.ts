import type { IDataObject } from 'n8n-workflow';

import { InputError } from './inputError';

/**
 * Reads a JSON object from what a field holds: text, an object by expression, or nothing.
 *
 * @param label the field's name in the editor
 * @throws InputError when it is anything else
 */
export function jsonObject(value: unknown, label: string): IDataObject {
	if (value === '' || value === undefined || value === null) return {};
	const parsed = typeof value === 'string' ? parse(value) : value;
	if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
	throw new InputError(
		`${label} is not a JSON object`,
		'Write it like { "reference": "PO-1042" }.',
	);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
