import { isRecord } from '../../shared/typeGuards';
import { redactNamedInText } from './redact';

/** Where services put the reason for a refusal, the most telling place first. */
const NAMES = ['message', 'error_description', 'detail', 'title', 'reason', 'error', 'errors'];
const MAX_LENGTH = 300;
const MAX_READ = 10_000;
const MAX_DEPTH = 8;
/** Stops at the next tag, so that a page full of opened tags is read only once. */
const TITLE = /<(?:title|h1)[^<>]*>(?<text>[^<]+)</i;

/**
 * Finds the service's own explanation in the body of an error response, whose shape is not
 * documented: in the usual places of a JSON object, in plain text, or in the title of an HTML page.
 *
 * @returns one line without a final period and without named secrets; undefined when there is none
 */
export function serviceMessage(body: unknown): string | undefined {
	const found = isRecord(body) || Array.isArray(body) ? messageIn(body) : messageOfText(body);
	const line = found?.slice(0, MAX_READ).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
	if (line === undefined || line === '') {
		return undefined;
	}

	return redactNamedInText(line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line);
}

function messageIn(value: unknown, depth = MAX_DEPTH): string | undefined {
	if (typeof value === 'string') {
		return /^[\s.]*$/.test(value) ? undefined : value;
	}

	if (depth === 0) {
		return undefined;
	}

	if (Array.isArray(value)) {
		const parts = value.flatMap((entry: unknown) => messageIn(entry, depth - 1) ?? []);
		return parts.length > 0 ? parts.join('; ') : undefined;
	}

	if (!isRecord(value)) {
		return undefined;
	}

	const found = NAMES.map((name) => messageIn(value[name], depth - 1)).find(
		(message) => message !== undefined,
	);
	const field = typeof value.field === 'string' ? `${value.field}: ` : '';
	const details = messageIn(value.details, depth - 1);
	if (found === undefined) {
		return details;
	}

	return field + found + (details !== undefined && details !== found ? ` (${details})` : '');
}

function messageOfText(body: unknown): string | undefined {
	if (typeof body !== 'string') {
		return undefined;
	}

	if (!/^\s*</.test(body)) {
		return body;
	}

	return TITLE.exec(body)?.groups?.text;
}
