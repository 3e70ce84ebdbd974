import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import { jsonObject } from '../shared/json';

/**
 * Reads the fields that a user adds to a request.
 *
 * @param value what the option holds
 * @param own names that the node itself sends or leaves out. They must not be added in any spelling,
 *   since the node has checked its own values only.
 * @throws InputError when it is no JSON object, or has such a name
 */
export function readAdditionalFields(value: unknown, own: readonly string[]): IDataObject {
	const fields = jsonObject(value, 'Additional Fields');
	const known = new Set(own.map(plainName));
	const replaced = Object.keys(fields).find((name) => known.has(plainName(name)));
	if (replaced === undefined) return fields;
	throw new InputError(
		`Additional Fields replaces "${replaced}"`,
		'Use the field of the node for it, and take it out there.',
	);
}

/** The same for `payee_email`, `payeeEmail` and `Payee-Email`, which a service may take alike. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
