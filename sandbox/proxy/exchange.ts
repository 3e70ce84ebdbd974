import type { MatchedOperation } from '../contract/contract';
import type { FieldError } from '../shared/errors';
import type { ServiceRequest } from '../http/messages';

/** A request that was passed on, and what the service has answered. */
export interface Exchange {
	/** Undefined for a call that the contract does not have. */
	match: MatchedOperation | undefined;
	request: ServiceRequest;
	/** The body by its names, of JSON and of a form; empty when it was neither. */
	body: Fields;
	/** Where the request is not as the contract wants it. */
	requestErrors: FieldError[];
	status: number;
	headers: Record<string, string>;
	/** JSON as it was read, or text. */
	answer: unknown;
}

/** A POST that the service has sent to a subscriber. */
export interface DeliveredPost {
	/** Names as they were written, with their values. */
	headers: [name: string, value: string][];
	body: string;
	/** What may be the secret of the subscription: everything long in the answer to it. */
	secrets: string[];
}

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under a name; empty when there is none. */
export function fieldsAt(value: unknown, ...names: string[]): Fields {
	let found: unknown = value;
	for (const name of names) {
		found = isFields(found) ? found[name] : undefined;
	}

	return isFields(found) ? found : {};
}

export const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300;

/** JSON as a value, or the text that is none. */
export function readText(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

const DEEPEST = 4;

/** What a value is like, without the value: no report tells names, amounts or secrets of anybody. */
export function shapeOf(value: unknown, depth = 0): string {
	if (Array.isArray(value)) {
		return value.length === 0 ? '[]' : `[${shapeOf(value[0], depth + 1)}]`;
	}

	if (!isFields(value)) {
		return value === null ? 'null' : typeof value;
	}

	if (depth === DEEPEST) {
		return '{…}';
	}

	const parts = Object.entries(value).map(([name, each]) => `${name}: ${shapeOf(each, depth + 1)}`);
	return `{${parts.join(', ')}}`;
}
