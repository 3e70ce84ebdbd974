import type { IDataObject } from 'n8n-workflow';

/*
 * All that reads answers whose shape the service does not document stands here. Each reader takes
 * any body and says what it found; none of them throws.
 */

const URL_NAMES = ['pdf_url', 'pdfUrl', 'url', 'invoice_url', 'download_url', 'href', 'link'];
const SECRET_NAMES = [
	'secret',
	'signing_secret',
	'signingSecret',
	'webhook_secret',
	'signing_key',
	'key',
];
const MESSAGE_NAMES = [
	'message',
	'error_description',
	'detail',
	'title',
	'reason',
	'error',
	'errors',
];
const LONGEST_MESSAGE = 300;
const DEEPEST = 8;

/** The JSON of a body, or the text itself when it is none. */
export function parseBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Whether a value is an object with named fields (no list, no null). */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Takes the wrapper off an answer: `{payable: {...}}` and `{data: {...}}` become the object itself,
 * a bare object stays as it is.
 *
 * @returns the record, empty when the answer holds none
 */
export function record(body: unknown, key: string): IDataObject {
	if (!isRecord(body)) return {};
	if (identifier(body) !== undefined) return body;
	for (const wrapper of [key, 'data']) {
		const inner = body[wrapper];
		if (isRecord(inner)) return inner;
	}
	return body;
}

/**
 * Finds the list of an answer: the body itself, or what stands under the documented key.
 *
 * @returns the records of the list, or undefined when there is no list
 */
export function list(body: unknown, key: string): IDataObject[] | undefined {
	if (Array.isArray(body)) return body.filter(isRecord);
	if (!isRecord(body)) return undefined;
	const inner = body[key] ?? body.data;
	return Array.isArray(inner) ? inner.filter(isRecord) : undefined;
}

/** The identifier of a record, or undefined when it has none that could be one. */
export function identifier(found: IDataObject): string | undefined {
	const { id } = found;
	if (typeof id === 'number') return String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** A record with an identifier, which the service writes as a text or as a number. */
export type Identified = IDataObject & { id: string | number };

export const isIdentified = (found: IDataObject): found is Identified =>
	identifier(found) !== undefined;

/**
 * Finds the URL of a document: a usual name first, else the only property that is a web address.
 *
 * @param depth how many objects in one another are looked into
 * @returns the URL, or undefined when there is none or more than one candidate
 */
export function documentUrl(body: unknown, depth = DEEPEST): string | undefined {
	if (isWebAddress(body)) return body;
	if (!isRecord(body) || depth === 0) return undefined;
	const usual = URL_NAMES.map((name) => body[name]).find(isWebAddress);
	if (usual !== undefined) return usual;
	const candidates = Object.values(body).flatMap((value) => documentUrl(value, depth - 1) ?? []);
	return candidates.length === 1 ? candidates[0] : undefined;
}

/** The secret that signs the deliveries of a subscription, or undefined when the answer has none. */
export function signingSecret(subscription: IDataObject): string | undefined {
	const { signing } = subscription;
	return [subscription, isRecord(signing) ? signing : {}]
		.flatMap((place) => SECRET_NAMES.map((name) => place[name]))
		.find((value): value is string => typeof value === 'string' && value !== '');
}

/**
 * Finds the service's own words in the body of a refusal: in the usual places of a JSON object, in
 * plain text, or in the title of an HTML page.
 *
 * @param body the parsed JSON, or the text when it is no JSON
 * @returns one line without a final full stop, or undefined when there are no words
 */
export function refusalMessage(body: unknown): string | undefined {
	const words = isRecord(body) || Array.isArray(body) ? wordsIn(body) : wordsOfText(body);
	const line = words?.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
	if (line === undefined || line === '') return undefined;
	return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}

function isWebAddress(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
}

function wordsIn(value: unknown, depth = DEEPEST): string | undefined {
	if (typeof value === 'string') return /^[\s.]*$/.test(value) ? undefined : value;
	if (depth === 0) return undefined;
	if (Array.isArray(value)) {
		const parts = value.flatMap((entry: unknown) => wordsIn(entry, depth - 1) ?? []);
		return parts.length > 0 ? parts.join('; ') : undefined;
	}
	if (!isRecord(value)) return undefined;
	const found = MESSAGE_NAMES.map((name) => wordsIn(value[name], depth - 1)).find(
		(words) => words !== undefined,
	);
	const field = typeof value.field === 'string' ? `${value.field}: ` : '';
	const details = wordsIn(value.details, depth - 1);
	if (found === undefined) return details;
	return field + found + (details !== undefined && details !== found ? ` (${details})` : '');
}

function wordsOfText(body: unknown): string | undefined {
	if (typeof body !== 'string') return undefined;
	if (!/^\s*</.test(body)) return body;
	return /<(title|h1)[^>]*>([^<]+)</i.exec(body)?.[2];
}
