import Ajv, { type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../shared/errors';
import { parseDollars } from '../shared/money';

/** What a person has filled in, or what a form is to begin with, by the names of its fields. */
export type Values = Readonly<Partial<Record<string, string>>>;

export type Errors = Readonly<Partial<Record<string, string>>>;

/** The part of JSON schema that forms are made of. */
export interface FormSchema {
	type?: unknown;
	title?: string;
	description?: string;
	enum?: readonly unknown[];
	/** What to choose from where any text is taken. */
	examples?: readonly string[];
	const?: string;
	/** What the values of a list are; a form offers them as boxes. */
	items?: FormSchema;
	minimum?: number;
	maximum?: number;
	maxLength?: number;
	/** What to say when it is missing or wrong. */
	problem?: string;
	/** Minor units, which a person writes as dollars. */
	isMoney?: boolean;
	/** Shown as something else than one line of text. */
	control?: 'lines' | 'secret';
	properties?: Readonly<Record<string, FormSchema>>;
	required?: readonly string[];
	oneOf?: readonly FormSchema[];
}

const FORM = /^application\/x-www-form-urlencoded *(;|$)/i;

/** The values of a list, which a form has one a line. */
export const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '');

/**
 * The fields of a posted form, trimmed; of a repeated field all values, one a line.
 * @throws HttpError 415 when it is no form
 */
export function formOf(request: FastifyRequest): Values {
	if (!FORM.test(request.headers['content-type'] ?? '')) {
		throw new HttpError(415, 'unsupported_media_type', 'This page takes forms only.');
	}

	const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
	const sent = new URLSearchParams(body);
	return Object.fromEntries(
		[...sent.keys()].map((name) => {
			const values = sent.getAll(name).map((value) => value.trim());
			return [name, values.join('\n')];
		}),
	);
}

export const queryOf = (request: FastifyRequest): URLSearchParams =>
	new URL(request.url, 'http://localhost').searchParams;

interface NamedField {
	name: string;
	field: FormSchema;
}

/** The fields of an object by their names, those of an object in it as `match.path`. */
export function fieldsOf(schema: FormSchema, prefix = ''): NamedField[] {
	const own = Object.entries(schema.properties ?? {});
	const chosen = schema.oneOf?.flatMap((one) => Object.entries(one.properties ?? {})) ?? [];
	return [...own, ...chosen].flatMap(([name, field]) => {
		if (field.properties === undefined) {
			return [{ name: prefix + name, field }];
		}

		return fieldsOf(field, `${prefix}${name}.`);
	});
}

/** The schema of a value that has one of several kinds. */
export const ofKind = (schema: FormSchema, kind: string | undefined): FormSchema =>
	schema.oneOf?.find(({ properties }) => properties?.['kind']?.const === kind) ?? schema;

const ajv = new Ajv({ allErrors: true, strict: false, discriminator: true });
addFormats(ajv);

/** What a form says, as the schema wants it, and what is wrong with it; an empty field is left out. */
export function readForm(schema: FormSchema, values: Values): { input: unknown; errors: Errors } {
	const input: Record<string, unknown> = {};
	for (const { name, field } of fieldsOf(schema)) {
		const value = read(field, values[name] ?? '');
		if (value !== undefined) {
			setField(input, name, value);
		}
	}

	const validate = ajv.compile(schema);
	if (validate(input)) {
		return { input, errors: {} };
	}

	const errors: Record<string, string> = {};
	const fields = new Map(fieldsOf(schema).map(({ name, field }) => [name, field]));
	for (const error of validate.errors ?? []) {
		const name = fieldAt(error);
		const field = fields.get(name);
		errors[name] ??= field?.problem ?? `${labelOf(name, field)}: ${error.message ?? ''}.`;
	}

	return { input, errors };
}

/** Sets a field of an object, or, by a name like `match.path`, of an object in it. */
function setField(input: Record<string, unknown>, name: string, value: unknown): void {
	const [parent = '', child] = name.split('.');
	if (child === undefined) {
		input[name] = value;
		return;
	}

	input[parent] = { ...Object(input[parent]), [child]: value };
}

/** One field's text as its schema wants it; the text itself where that is not possible. */
function read(field: FormSchema, text: string): unknown {
	if (field.type === 'boolean') {
		return text === 'yes';
	}

	if (text === '') {
		return undefined;
	}

	if (field.type === 'array') {
		return linesOf(text);
	}

	if (field.isMoney === true) {
		const cents = parseDollars(text);
		return cents === undefined ? text : Number(cents);
	}

	if (field.type === 'integer' || field.type === 'number') {
		return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
	}

	if (field.control === 'lines') {
		const lines = text.split('\n').map((line) => /^([^:]+):\s*(.*)$/.exec(line.trim()));
		return Object.fromEntries(lines.map((line) => [line?.[1], line?.[2]]));
	}

	return text;
}

function fieldAt({ instancePath, params }: ErrorObject): string {
	const names = instancePath.split('/').slice(1);
	const missing: unknown = params['missingProperty'];
	if (typeof missing === 'string') {
		names.push(missing);
	}

	return names.join('.');
}

/** `requestsPerMinute` → `Requests per minute` */
export function labelOf(name: string, field?: FormSchema): string {
	if (field?.title !== undefined) {
		return field.title;
	}

	const words = (name.split('.').at(-1) ?? name)
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replaceAll('_', ' ')
		.toLowerCase()
		.replace(/\b(id|json|url)\b/, (word) => word.toUpperCase())
		.replace(/\bms\b/, '(ms)');

	return words.charAt(0).toUpperCase() + words.slice(1);
}

export const isClean = (errors: Errors): boolean => Object.keys(errors).length === 0;

export const idOf = (name: string): string => `field-${name.replace('.', '-')}`;
