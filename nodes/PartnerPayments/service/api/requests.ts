import type { IDataObject } from 'n8n-workflow';

import type { Semantics, ServiceRequest } from '../http/request';
import { path } from '../http/url';

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
