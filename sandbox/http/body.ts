import { HttpError } from '../shared/errors';
import { mediaType, type ServiceRequest } from './messages';

/**
 * The body as JSON.
 * @throws HttpError 415 when it is declared as something else, 400 when it is no JSON object
 */
export function readJson(request: ServiceRequest): Record<string, unknown> {
	const type = mediaType(request);
	if (type !== 'application/json') {
		throw new HttpError(
			415,
			'unsupported_media_type',
			`The body must be sent as application/json, not as ${type === '' ? 'nothing in particular' : type}.`,
		);
	}
	return parseJson(request.body);
}

/**
 * Bytes as a JSON object.
 * @throws HttpError 400 otherwise
 */
export function parseJson(bytes: Buffer): Record<string, unknown> {
	if (bytes.length === 0) throw invalid('The body is empty; a JSON object is expected.');
	const value = parse(bytes.toString('utf8'));
	if (!isObject(value)) throw invalid('The body must be a JSON object.');
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
