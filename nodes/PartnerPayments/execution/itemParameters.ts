import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { addressAdvice } from '../shared/addresses';
import { startOfDay, toCalendarDay, toUtcDay, toUtcTimestamp } from '../shared/dates';
import { writtenParameter } from '../shared/parameters';
import { readReference } from '../shared/referenceReader';
import { ENTER_IT, excerpt, throwInputError } from '../shared/errors';
import {
	readFlag,
	readLocatorValue,
	readText,
	readTexts,
	throwInexactNumber,
} from '../shared/fieldReaders';
import { readJsonObject } from '../shared/json';
import { isEmpty } from '../shared/typeGuards';
import { readWorkspaceId } from '../shared/workspaceIds';
import { assertNoTypedExpression, assertPartsYield } from './expressionParts';
import { holdsRoundedNumber, readItemField } from './itemField';

/** The node's parameters for one input item. Every reader throws an InputError that names the field. */
export class ItemParameters {
	/**
	 * @param json the input item
	 * @param node as it is set up; n8n copies it for each call
	 * @param credentials whose default workspace is used when the node names none
	 * @param constants values that are the same for all items of the run
	 */
	constructor(
		private readonly n8n: IExecuteFunctions,
		readonly index: number,
		private readonly json: IDataObject,
		readonly node: Pick<INode, 'type' | 'parameters'>,
		private readonly credentials: IDataObject = {},
		private readonly constants = new Map<string, unknown>(),
	) {}

	/** Whether the node got more than this item. */
	get isOneOfSeveral(): boolean {
		return this.n8n.getInputData().length > 1;
	}

	text(name: string, label: string): string {
		const text = this.optionalText(name, label);
		if (text !== undefined) {
			return text;
		}
		return throwInputError(`"${label}" is empty`, ENTER_IT);
	}

	optionalText(name: string, label: string): string | undefined {
		return readText(this.checkedValue(name, `"${label}"`), `"${label}"`);
	}

	reference(): string {
		const subject = '"Unique Reference"';
		const written = this.written('uniqueReference');
		const value = this.value('uniqueReference');
		const evaluate = (code: string): unknown => this.n8n.evaluateExpression(code, this.index);
		assertPartsYield(written, subject, evaluate);
		assertNoTypedExpression(written, subject);
		const reference = readReference(value, subject);
		if (reference === undefined) {
			return throwInputError(`${subject} is empty`, ENTER_IT);
		}
		return holdsRoundedNumber(reference, this.json) ? throwInexactNumber(subject) : reference;
	}

	/** The unique reference, or an empty text when it cannot be used. */
	referenceOrEmpty(): string {
		try {
			return this.reference();
		} catch {
			return '';
		}
	}

	email(name: string, label: string): string {
		const text = this.text(name, label);
		const advice = addressAdvice(text);
		if (advice === undefined) {
			return text;
		}
		return throwInputError(`"${label}" is not an email address: "${excerpt(text)}"`, advice);
	}

	url(name: string, label: string): string {
		const text = this.text(name, label);
		if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) {
			return text;
		}
		return throwInputError(
			`"${label}" is not a web address: "${excerpt(text)}"`,
			'Enter an address that starts with https://.',
		);
	}

	flag(name: string, label: string, fallback = false): boolean {
		return readFlag(this.value(name), `"${label}"`) ?? fallback;
	}

	choice<Value extends string>(name: string, values: readonly Value[], label: string): Value {
		const value = this.value(name);
		const found = values.find((candidate) => candidate === value);
		if (found !== undefined) {
			return found;
		}
		const problem = isEmpty(value) ? 'is not chosen' : `is not one of ${values.join(', ')}`;
		return throwInputError(`"${label}" ${problem}`, 'Choose one from the list.');
	}

	choices<Value extends string>(name: string, values: readonly Value[], label: string): Value[] {
		const chosen = readTexts(this.checkedValue(name, `"${label}"`), `"${label}"`);
		const known = values.filter((value) => chosen.includes(value));
		if (known.length > 0 && known.length === new Set(chosen).size) {
			return known;
		}
		return throwInputError(
			`"${label}" needs at least one of ${values.join(', ')}`,
			'Choose from the list.',
		);
	}

	count(name: string, label: string, fallback: number): number {
		const given = this.value(name) ?? fallback;
		const value = typeof given === 'string' ? Number(given) : given;
		if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) {
			return value;
		}
		return throwInputError(
			`"${label}" is not a whole number above zero`,
			'Enter a number from 1 on. To switch an option off, remove it.',
		);
	}

	ids(name: string, label: string): string[] {
		const ids = readTexts(this.checkedValue(name, `"${label}"`), `"${label}"`);
		if (ids.length === 0) {
			return throwInputError(`"${label}" is empty`, 'Enter at least one ID.');
		}
		const seen = new Set<string>();
		const twice = ids.find((id) => seen.size === seen.add(id).size);
		if (twice !== undefined) {
			return throwInputError(`"${label}" has "${twice}" twice`, 'Enter each ID once.');
		}
		return ids;
	}

	timestamp(name: string, label: string): string | undefined {
		const value = this.value(name);
		if (isEmpty(value)) {
			return undefined;
		}
		return toUtcTimestamp(value, this.n8n.getTimezone(), `"${label}"`);
	}

	/** A calendar day, or a moment when it has a time. */
	day(name: string, label: string): string | undefined {
		const value = this.value(name);
		return isEmpty(value) ? undefined : toUtcDay(value, this.n8n.getTimezone(), `"${label}"`);
	}

	/** A calendar day as YYYY-MM-DD, as `toCalendarDay` reads it. */
	calendarDay(name: string, label: string): string | undefined {
		const value = this.value(name);
		return isEmpty(value) ? undefined : toCalendarDay(value, this.n8n.getTimezone(), `"${label}"`);
	}

	dayStart(): string {
		return startOfDay(this.n8n.getTimezone());
	}

	workspaceId(): string {
		assertNoTypedExpression(readLocatorValue(this.written('workspaceId')), '"Workspace"');
		const { workspaceId } = this.node.parameters;
		const { defaultWorkspaceId } = this.credentials;
		return readWorkspaceId({
			value: this.value('workspaceId'),
			written: workspaceId,
			fallback: defaultWorkspaceId,
		});
	}

	/**
	 * The fields that a user adds to a request.
	 *
	 * @param own the names that the node itself sends or leaves out, separated by spaces. They are rejected
	 *   in any spelling, since the node has checked only its own values.
	 */
	additionalFields(own: string): IDataObject {
		const fields = readJsonObject(this.value('options.additionalFields'), '"Additional Fields"');
		const known = own.split(' ').map(plainName);
		const replaced = Object.keys(fields).find((name) => known.includes(plainName(name)));
		if (replaced === undefined) {
			return fields;
		}
		return throwInputError(
			`"Additional Fields" replaces "${replaced}"`,
			'Remove it there, and use the field of the node.',
		);
	}

	/** The maximum number of results; may be infinite. */
	maxResults(): number {
		return this.flag('returnAll', 'Return All') ? Infinity : this.count('limit', 'Limit', 50);
	}

	/**
	 * The same as `value`. Throws for an expression that its author has typed as text.
	 *
	 * @param subject what a message calls it, such as the field's name in quotation marks
	 */
	checkedValue(name: string, subject: string): unknown {
		assertNoTypedExpression(readLocatorValue(this.written(name)), subject);
		return this.value(name);
	}

	/** The value of a parameter: its expressions are evaluated, which is slow. Null when it is not set. */
	value(name: string): unknown {
		if (this.constants.has(name)) {
			return this.constants.get(name);
		}
		const written = this.written(name);
		const itemField = readItemField(readLocatorValue(written), this.json);
		if (itemField !== undefined) {
			return itemField;
		}
		const value = readLocatorValue(this.n8n.getNodeParameter(name, this.index, null));
		const isExpression = JSON.stringify(written ?? '').includes('"=');
		if (!isExpression) {
			this.constants.set(name, value);
		}
		return value;
	}

	/** A parameter as it is set up, with the expressions in it; undefined when it is not set. */
	written(name: string): unknown {
		return writtenParameter(this.node.parameters, name);
	}
}

/** The same for `payee_email`, `payeeEmail` and `Payee-Email`, since a service may accept each. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
