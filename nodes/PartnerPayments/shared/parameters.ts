import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { throwInputError } from './errors';
import { isEmpty, isRecord } from './typeGuards';

/**
 * A parameter as it is set up, with the expressions in it; undefined when it is not set.
 *
 * @param name with the collections that it is in, such as `options.maxAmount`
 * @throws InputError for a collection that is one expression: n8n finds nothing in it, so that limits
 *   would be left out in silence
 */
export function writtenParameter(parameters: IDataObject, name: string): unknown {
	let written: unknown = parameters;
	let collection = '';

	for (const key of name.split('.')) {
		if (isEmpty(written)) {
			return undefined;
		}
		if (!isRecord(written)) {
			return throwExpression(collection);
		}
		written = written[key];
		collection = key;
	}
	return written;
}

/** @throws InputError as `writtenParameter`, for a collection among the fields whether or not it is read */
export function assertCollectionsFixed(fields: INodeProperties[], parameters: IDataObject): void {
	for (const { name, type } of fields) {
		const isCollection = type === 'collection' || type === 'fixedCollection';
		const written = parameters[name];
		if (isCollection && !isEmpty(written) && !isRecord(written)) {
			throwExpression(name);
		}
	}
}

/** The editor has no switch for it: it shows such a collection as empty. */
function throwExpression(name: string): never {
	const label = collectionLabel(name);
	return throwInputError(
		`"${label}" is one expression for all of its fields`,
		`n8n would leave all of them out, limits too. Open this node and add each field that you need under "${label}": the first one replaces the expression. Each field can have an expression of its own.`,
	);
}

/** What the editor calls a collection: `lineItems` is "Line Items". */
export function collectionLabel(name: string): string {
	const words = name.replace(/[A-Z]/g, ' $&');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
