import { HttpError } from '../shared/errors';
import { mediaType, type ServiceRequest } from './messages';

/** How each type of body is read. */
const readers = {
	'application/json': parseJson,
	'application/x-www-form-urlencoded': (bytes: Buffer): Record<string, unknown> =>
		Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))),
};

export type BodyType = keyof typeof readers;

/**
 * The fields of a body.
 * @throws HttpError 415 when it is of no such type, 400 when it cannot be read
 */
export function readBody(request: ServiceRequest, ...types: BodyType[]): Record<string, unknown> {
	const given = mediaType(request);
	const type = types.find((one) => one === given);
	if (type === undefined) {
		const named = given === '' ? 'nothing in particular' : given;
		throw new HttpError(
			415,
			'unsupported_media_type',
			`The body must be sent as ${types.join(' or ')}, not as ${named}.`,
		);
	}

	return readers[type](request.body);
}

/** No body of the service comes near it: checking and writing it would take seconds. */
const DEEPEST = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The brackets of JSON, each of which is one byte. */
const steps: Partial<Record<number, number>> = { 0x5b: 1, 0x7b: 1, 0x5d: -1, 0x7d: -1 };

/** Whether JSON is nested deeper than this, without parsing it. */
function isDeeperThan(bytes: Buffer, limit: number): boolean {
	let depth = 0;
	let isText = false;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at] ?? 0;
		if (byte === QUOTE) {
			isText = !isText;
		} else if (isText) {
			at += byte === BACKSLASH ? 1 : 0;
		} else {
			depth += steps[byte] ?? 0;
		}

		if (depth > limit) {
			return true;
		}
	}

	return false;
}

/** @throws HttpError 400 when the bytes are no JSON object, or one that is too deep */
export function parseJson(bytes: Buffer): Record<string, unknown> {
	if (bytes.length === 0) {
		throw invalid('The body is empty; a JSON object is expected.');
	}

	if (isDeeperThan(bytes, DEEPEST)) {
		throw invalid(`The body is nested more than ${DEEPEST} deep.`);
	}

	const value = parse(bytes.toString('utf8'));
	if (!isObject(value)) {
		throw invalid('The body must be a JSON object.');
	}

	return value;
}

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		// The parser's own message quotes the body, which may hold a secret.
		throw invalid('The body is not valid JSON.');
	}
};

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (message: string): HttpError => new HttpError(400, 'invalid_json', message);
