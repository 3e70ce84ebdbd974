import { jsonParse, type IDataObject } from 'n8n-workflow';

import { throwInputError } from './errors';
import { isEmpty, isRecord } from './typeGuards';

export const parseJsonOrText = (text: string): unknown => jsonParse(text, { fallbackValue: text });

export function readJsonObject(value: unknown, subject: string): IDataObject {
	if (isEmpty(value)) {
		return {};
	}
	const parsed = typeof value === 'string' ? parseJsonOrText(value) : value;
	if (isRecord(parsed)) {
		return { ...parsed };
	}
	return throwInputError(
		`${subject} is not a JSON object`,
		'Write it like { "reference": "PO-1042" }.',
	);
}
