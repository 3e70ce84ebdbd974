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

/**
 * The fields of a posted form, trimmed; of a repeated field the last.
 * @throws HttpError 415 when it is no form
 */
export function formOf(request: FastifyRequest): Values {
	if (!FORM.test(request.headers['content-type'] ?? '')) {
		throw new HttpError(415, 'unsupported_media_type', 'This page takes forms only.');
	}

	const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
	return Object.fromEntries(
		[...new URLSearchParams(body)].map(([name, value]) => [name, value.trim()]),
	);
}

export const queryOf = (request: FastifyRequest): URLSearchParams =>
	new URL(request.url, 'http://localhost').searchParams;

interface NamedField {
	name: string;
	field: FormSchema;
}

/** The fields of an object by their names, those of an object in it as `match.path`. */
function fieldsOf(schema: FormSchema, prefix = ''): NamedField[] {
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

const Options = ({ values, value }: { values: readonly string[]; value: string }) => (
	<>
		{values.map((each) => (
			<option key={each} value={each} selected={each === value}>
				{each}
			</option>
		))}
	</>
);

export const SelectLabel = (props: {
	name: string;
	value: string;
	values: readonly string[];
	/** What stands for no choice. */
	all: string;
}) => (
	<div class="field">
		<label for={idOf(props.name)}>{labelOf(props.name)}</label>
		<select id={idOf(props.name)} name={props.name}>
			<option value="">{props.all}</option>
			<Options {...props} />
		</select>
	</div>
);

interface FieldProps {
	name: string;
	field: FormSchema;
	value: string;
	error: string | undefined;
	/** The value that it had before a person has changed it. */
	initial: string;
	isRequired: boolean;
}

/** Says what is wrong with a field, and what to enter. */
const Notes = ({
	id,
	field,
	error,
}: {
	id: string;
	field: FormSchema;
	error?: string | undefined;
}) => (
	<>
		{error !== undefined && (
			<p class="field-error" id={`${id}-error`}>
				<span class="visually-hidden">Error: </span>
				{error}
			</p>
		)}
		{field.description !== undefined && (
			<p class="note" id={`${id}-hint`}>
				{field.description}
			</p>
		)}
	</>
);

/** The IDs of a field's notes, for people who hear them. */
function notesOf({ name, field, value, initial, error }: FieldProps): string | undefined {
	const id = idOf(name);
	const ids: string[] = [];
	if (error !== undefined) {
		ids.push(`${id}-error`);
	}

	if (field.description !== undefined) {
		ids.push(`${id}-hint`);
	}

	if (value !== initial) {
		ids.push(`${id}-changed`);
	}

	return ids.length === 0 ? undefined : ids.join(' ');
}

function inputModeOf(field: FormSchema): 'numeric' | 'decimal' | undefined {
	if (field.type === 'integer') {
		return 'numeric';
	}

	return field.isMoney === true ? 'decimal' : undefined;
}

/** What a person fills in: a list, some lines, or one line. */
const Control = (props: FieldProps) => {
	const { name, field, value, error, isRequired } = props;
	const id = idOf(name);
	const state = {
		id,
		name,
		'aria-describedby': notesOf(props),
		'aria-invalid': error === undefined ? undefined : true,
	};
	if (field.type === 'boolean') {
		return <input {...state} type="checkbox" value="yes" checked={value === 'yes'} />;
	}

	const choices = field.enum ?? field.examples;
	if (choices !== undefined) {
		return (
			<select {...state}>
				{(!isRequired || value === '') && <option value="">{isRequired ? 'Choose' : 'any'}</option>}
				<Options values={choices.map(String)} value={value} />
			</select>
		);
	}

	if (field.control === 'lines') {
		return (
			<textarea {...state} rows={2}>
				{value}
			</textarea>
		);
	}

	return (
		<input
			{...state}
			type="text"
			inputMode={inputModeOf(field)}
			autocomplete="off"
			maxLength={field.maxLength}
			value={field.control === 'secret' ? '' : value}
		/>
	);
};

const Field = (props: FieldProps) => {
	const { name, field, value, error, initial } = props;
	const id = idOf(name);
	const isChanged = value !== initial;
	const label = (
		<>
			<label for={id}>{labelOf(name, field)}</label>{' '}
			{isChanged && (
				<span class="badge open" id={`${id}-changed`}>{`changed from ${initial}`}</span>
			)}
		</>
	);
	const notes = <Notes id={id} field={field} error={error} />;
	const control = <Control {...props} />;
	const className = isChanged ? 'field changed' : 'field';
	if (field.type === 'boolean') {
		return (
			<div class={`${className} check`}>
				{control}
				{label}
				{notes}
			</div>
		);
	}

	return (
		<div class={className}>
			{label}
			{notes}
			{control}
		</div>
	);
};

/** The fields of a schema. What `hidden` names is sent along and not shown. */
export const Fields = (props: {
	schema: FormSchema;
	values: Values;
	errors?: Errors | undefined;
	hidden?: readonly string[] | undefined;
	/** What each field has unless a person changes it; one that differs is marked. */
	defaults?: Values;
}) => {
	const { schema, values, errors = {}, hidden = [], defaults = {} } = props;
	return (
		<>
			{fieldsOf(schema).map(({ name, field }) => {
				const value = field.const ?? values[name] ?? '';
				if (field.const !== undefined || hidden.includes(name)) {
					return <input key={name} type="hidden" name={name} value={value} />;
				}

				return (
					<Field
						key={name}
						name={name}
						field={field}
						value={value}
						error={errors[name]}
						initial={defaults[name] ?? value}
						isRequired={schema.required?.includes(name) ?? false}
					/>
				);
			})}
		</>
	);
};

/** Lists what is wrong with a form, with a link to each field. */
export const ErrorSummary = ({ errors }: { errors: Errors }) =>
	isClean(errors) ? null : (
		<div class="error" role="alert" tabIndex={-1} autofocus>
			<h2>Something is missing or wrong</h2>
			<ul>
				{Object.entries(errors).map(([name, error]) => (
					<li key={name}>{name === '' ? error : <a href={`#${idOf(name)}`}>{error}</a>}</li>
				))}
			</ul>
		</div>
	);
