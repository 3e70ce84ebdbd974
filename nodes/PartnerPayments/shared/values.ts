import { isResourceLocatorValue, jsonParse, type IDataObject } from 'n8n-workflow';

/** What went wrong, without a full stop, and what to do, in sentences. */
export abstract class ExplainedError extends Error {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}

/** A value that a user or an expression gave and that cannot be sent. Nothing was sent because of it. */
export class InputError extends ExplainedError {
	override readonly name = 'InputError';
}

export function reject(message: string, hint: string): never {
	throw new InputError(message, hint);
}

export const ENTER_IT = 'Enter it, or check the expression that it comes from.';
const CHECK_EXPRESSION = 'Check the expression that it comes from.';
const MAX_EXCERPT = 60;

/** Whether a field was left empty, or is not shown. */
export const isEmpty = (value: unknown): value is '' | null | undefined =>
	value === '' || value === undefined || value === null;

/** A text, empty in place of anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a text without white space at its ends, undefined for nothing. A number is taken as it is written. */
export function readText(value: unknown, label: string, wanted = 'a text'): string | undefined {
	if (isEmpty(value)) {
		return undefined;
	}
	assertResolved(value, label);
	if (typeof value === 'string') {
		return value.trim() || undefined;
	}
	if (typeof value !== 'number') {
		return rejectKind(value, label, wanted);
	}
	return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : rejectInexact(label);
}

/** Reads what is true or false, undefined for nothing. Tables and forms hand it over as a text. */
export function readFlag(value: unknown, label: string): boolean | undefined {
	const written = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (isEmpty(written)) {
		return undefined;
	}
	if (written === true || written === 'true') {
		return true;
	}
	if (written === false || written === 'false') {
		return false;
	}
	if (typeof written !== 'string') {
		return rejectKind(value, label, 'true or false');
	}
	return reject(`${label} "${excerpt(written)}" is not true or false`, CHECK_EXPRESSION);
}

/** Reads the texts of a list, or of a text with commas; empty ones are left out. */
export function readTexts(value: unknown, label: string): string[] {
	const entries = Array.isArray(value) ? value : (readText(value, label) ?? '').split(',');
	return entries.flatMap((entry) => readText(entry, `An entry of ${label}`) ?? []);
}

const EXPRESSION = /\{\{|\}\}|^\s*=|^[\s{]*\$[a-z(]/;

/**
 * A field that is set to "Fixed" returns an expression as it was typed: one reference for all payments.
 * n8n's editor closes braces automatically, so that a person who types them leaves two too many.
 */
function assertResolved(value: unknown, label: string): void {
	if (typeof value !== 'string' || !EXPRESSION.test(value)) {
		return;
	}
	reject(
		`${label} holds an expression as text: "${excerpt(value.trim())}"`,
		value.includes('{{') || !value.includes('}}')
			? 'Point at the field and choose "Expression" instead of "Fixed". An expression is in braces, without "=" before it, such as {{ $json.invoice }}.'
			: 'n8n closes braces automatically: delete the second "}}" at the end of the expression.',
	);
}

/** Rejects a value that is something else than what a field is for, such as "a number". */
const rejectKind = (value: unknown, label: string, wanted: string): never =>
	reject(`${label} is ${kindOf(value)}, not ${wanted}`, CHECK_EXPRESSION);

/** Rejects a number that JavaScript has rounded, or that is none. */
export const rejectInexact = (label: string): never =>
	reject(`${label} is a number that is not exact`, 'Give it as a text, such as "INV-1042".');

export function kindOf(value: unknown): string {
	if (Array.isArray(value)) {
		return 'a list';
	}
	if (typeof value === 'boolean') {
		return String(value);
	}
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The beginning of a text, for an error that repeats it. */
export const excerpt = (text: string): string =>
	text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;

/** Whether a value is an object with named fields (no list, no null). */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const parseJson = (text: string): unknown => jsonParse(text, { fallbackValue: text });

export function jsonObject(value: unknown, label: string): IDataObject {
	if (isEmpty(value)) {
		return {};
	}
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isRecord(parsed)) {
		return { ...parsed };
	}
	return reject(`${label} is not a JSON object`, 'Write it like { "reference": "PO-1042" }.');
}

/** What the ID of a workspace looks like, as a part of regular expressions. */
export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const WORKSPACE_ID = new RegExp(`^${UUID}$`);
const INVITE_URL = new RegExp(`^https?://.*[?&]invitationId=(${UUID})`);

/** The value of a resource locator, or of another field. */
export const valueOf = (field: unknown): unknown =>
	isResourceLocatorValue(field) ? field.value : field;

/**
 * Reads the ID of the Workspace field. The field has no regular expressions for n8n to check it with:
 * n8n runs those before every execution, and on a busy machine refuses to start one after 250 ms.
 *
 * @param written the field as it is set up: the default is for one that was left empty, not for an
 *   expression that yields nothing
 */
export function readWorkspaceId(value: unknown, written: unknown, byDefault: unknown): string {
	const isDefault = isEmpty(valueOf(written)) && !isEmpty(byDefault);
	const label = isDefault ? 'Default Workspace ID' : 'Workspace';
	const id = readText(isDefault ? byDefault : valueOf(value), label) ?? '';
	if (id === '') {
		reject('Workspace is empty', 'Choose it, or set a default in the credential.');
	}
	if (WORKSPACE_ID.test(id)) {
		return id;
	}
	const [, invited] = INVITE_URL.exec(id) ?? [];
	if (invited !== undefined) {
		return invited;
	}
	return reject(
		`${label} "${excerpt(id)}" is not a workspace ID`,
		'Enter the UUID of the workspace, or choose By URL and enter its invite URL.',
	);
}
