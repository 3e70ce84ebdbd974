import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/typeGuards';

/*
 * These readers are for answers whose shape the service does not document.
 * Each one takes any body and returns what it found; none of them throws.
 */

/** Finds what a request asks for in a body of any shape; undefined when it is not there. */
export interface ResponseReader<Value> {
	/** What is looked for, to follow "answered without". */
	expected: string;
	read: (body: unknown) => Value | undefined;
}

/** A record with an identifier, which the service writes as a text or as a number. */
export type Identified = IDataObject & { id: string | number };

/** The names of a document's URL, the most telling one first. */
const URL_NAMES = ['pdf_url', 'pdfUrl', 'url', 'invoice_url', 'download_url', 'href', 'link'];
const MAX_DEPTH = 8;
/** Identifiers are stored for long, so their size is bounded. */
const MAX_ID_LENGTH = 500;
const MAX_URL_LENGTH = 8_000;

/** Reads the record that stands under a key or bare, if it is complete. */
export const recordThat = (
	key: string,
	expected: string,
	isComplete: (found: IDataObject) => boolean,
): ResponseReader<IDataObject> => ({
	expected,
	read: (body) => {
		const found = record(body, key);
		return isComplete(found) ? found : undefined;
	},
});

/** Reads whatever record there is, empty when there is none. */
export const anyRecord = (key: string): ResponseReader<IDataObject> =>
	recordThat(key, `a ${key}`, () => true);

/** Reads the record that was made. An answer that says that it was not is none: what happened is unknown. */
export const identifiedRecord = (key: string): ResponseReader<Identified> => ({
	expected: `the ${key}'s ID`,
	read: (body) => {
		const found = record(body, key);
		return isIdentified(found) && !saysNo(body) ? found : undefined;
	},
});

/** Reads the records of a list, under its key or bare. */
export const recordList = (key: string, expected: string): ResponseReader<IDataObject[]> => ({
	expected,
	read: (body) => list(body, key),
});

/** Unwraps an answer such as `{payable: {...}}` or `{data: {...}}`; empty when there is no record. */
export function record(body: unknown, key: string): IDataObject {
	if (!isRecord(body)) {
		return {};
	}

	// Beside the documented wrapper, an ID can be that of the request.
	const documented = body[key];
	if (isRecord(documented)) {
		return documented;
	}

	const { data } = body;
	return identifier(body) === undefined && isRecord(data) ? data : body;
}

/** Whether an answer of success says that there was none, as some gateways answer. */
function saysNo(body: unknown): boolean {
	if (!isRecord(body)) {
		return false;
	}

	const { error, errors, success } = body;
	const hasErrors = Array.isArray(errors) ? errors.length > 0 : Boolean(errors);

	return Boolean(error) || hasErrors || success === false;
}

/** Finds the list of an answer: the body itself, or what stands under the documented key. */
export function list(body: unknown, key: string): IDataObject[] | undefined {
	if (Array.isArray(body)) {
		return body.filter(isRecord);
	}

	if (!isRecord(body)) {
		return undefined;
	}

	const inner = body[key] ?? body.data;
	return Array.isArray(inner) ? inner.filter(isRecord) : undefined;
}

/**
 * The identifier of a record; undefined when it has none. A number that JSON has rounded would identify
 * something else.
 */
export function identifier(found: IDataObject): string | undefined {
	const { id } = found;
	if (typeof id === 'number') {
		return Number.isSafeInteger(id) ? String(id) : undefined;
	}

	return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : undefined;
}

const isIdentified = (found: IDataObject): found is Identified => identifier(found) !== undefined;

/** Finds the URL of a document: a usual name first, else the only property that is a web address. */
export function documentUrl(body: unknown, depth = MAX_DEPTH): string | undefined {
	if (isWebAddress(body)) {
		return body;
	}

	if (!isRecord(body) || depth === 0) {
		return undefined;
	}

	const usual = URL_NAMES.map((name) => body[name]).find(isWebAddress);
	if (usual !== undefined) {
		return usual;
	}

	const candidates = Object.values(body).flatMap((value) => documentUrl(value, depth - 1) ?? []);
	return candidates.length === 1 ? candidates[0] : undefined;
}

function isWebAddress(value: unknown): value is string {
	const isShort = typeof value === 'string' && value.length <= MAX_URL_LENGTH;
	return isShort && /^https?:\/\/\S+$/.test(value);
}

/** Names of the secret itself, in lower case and without separators. */
const SECRET_NAME =
	/secrets?$|secret(key|token|value)$|(signing|signature|hmac|shared|webhook)keys?$/;
/** Names that mean the secret only with the name of the object around them, such as `signing.key`. */
const NESTED_SECRET_NAME = /(secrets?|signing|signature|hmac)(key|value)$/;
/** Secrets that sign something else, and keys that are no secrets. */
const OTHER_NAME = /client|public|api|access/;
/**
 * What can be a secret. A masked one (`whsec_****`, `[hidden]`) can be guessed: a check of
 * signatures with it would accept forged ones.
 */
const SECRET_VALUE = /^[^\s*•…<>[\]]{20,500}$/;
/** What an answer may hold instead: a shortened secret, an address, a time, one letter repeated. */
const PLACEHOLDER = /^(?:[a-z]+_)?(.)\1+$|\.\.|:\/\/|^\d{4}-\d\d-\d\d/;
/**
 * Parts of words, names, headers and algorithms, which an answer may also hold instead. Random letters
 * look different: they have capitals anywhere, or are too long.
 */
const WORD = /^(?:[A-Z]?[a-z]{0,14}|[A-Z]{1,15})\d*$/;

interface Property {
	name: string;
	/** The name of the object or list around it. */
	parent: string;
	value: unknown;
}

/**
 * Finds the secret that signs the deliveries of a subscription, wherever the answer to the subscription
 * holds it, the outermost one first. A property that is merely called `key` may be anything.
 */
export function signingSecretIn(answer: unknown): string | undefined {
	let level: Property[] = [{ name: '', parent: '', value: answer }];
	while (level.length > 0) {
		const found = level.find(isSecret);
		if (found !== undefined) {
			return found.value;
		}

		level = level.flatMap(propertiesOf);
	}

	return undefined;
}

const isSecret = (property: Property): property is Property & { value: string } => {
	const { name, parent, value } = property;
	return (
		typeof value === 'string' &&
		SECRET_VALUE.test(value) &&
		!PLACEHOLDER.test(value) &&
		!value.split(/[-_./]/).every((part) => WORD.test(part)) &&
		!OTHER_NAME.test(name) &&
		(SECRET_NAME.test(name) || NESTED_SECRET_NAME.test(parent + name))
	);
};

/** The properties of an object or a list. Elements of a list get its name. */
function propertiesOf({ name: parent, value }: Property): Property[] {
	if (Array.isArray(value)) {
		const elements: unknown[] = value;
		return elements.map((element) => ({ name: parent, parent, value: element }));
	}

	if (!isRecord(value)) {
		return [];
	}

	return Object.entries(value).map(([name, inner]) => ({
		name: name.toLowerCase().replace(/[^a-z]/g, ''),
		parent,
		value: inner,
	}));
}
