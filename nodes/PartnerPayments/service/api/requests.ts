import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../http/errors';
import type { Semantics, ServiceRequest } from '../http/request';

/**
 * Makes a request of an endpoint.
 *
 * @param task what it does, to follow "could not", for example "create the payable"
 * @param template a path of the contract, such as `/payable/{id}/approve`
 * @param values one value for each placeholder
 */
export const requestOf = (
	semantics: Semantics,
	task: string,
	template: string,
	values: Record<string, string> = {},
	body?: IDataObject,
): ServiceRequest => ({
	method: semantics === 'safe' ? 'GET' : 'POST',
	path: path(template, values),
	task,
	semantics,
	...(body !== undefined && { body }),
});

/**
 * Fills the placeholders of a path of the contract.
 *
 * @param template a path such as `/payable/{id}/approve`
 * @param values one value for each placeholder; encoded, so that no value can become part of the path
 * @throws ServiceError for what encoding does not disarm: an empty value, and the dots of a parent folder
 */
export function path(template: string, values: Record<string, string>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = values[name] ?? '';
		if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
		throw new ServiceError({
			message: `"${value}" is not an ID`,
			hint: 'Correct it in the item. Nothing was sent.',
		});
	});
}
