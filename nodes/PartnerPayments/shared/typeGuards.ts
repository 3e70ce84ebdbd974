import type { IDataObject } from 'n8n-workflow';

/** Whether a field was left empty, or is not shown. */
export const isEmpty = (value: unknown): value is '' | null | undefined =>
	value === '' || value === undefined || value === null;

/** Whether a value is an object with named fields (no list, no null). */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text, empty in place of anything else. */
export const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
