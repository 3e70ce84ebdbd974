import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import type { ContractRequest } from '../contract/contract';

/** A request as it came in, nothing interpreted but the URL. */
export interface ServiceRequest {
	method: string;
	/** As it came: path and query. */
	url: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** What goes out: JSON, unless `text` is given, which goes out as it is. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, string>;
	body?: unknown;
	text?: string;
	errorCode?: string;
	/** Half of the body and no more, or a piece of it each so many milliseconds. */
	transfer?: 'truncated' | { everyMs: number };
}

/** The media type of the body in lower case, without parameters; empty when none is named. */
export function mediaType(request: ServiceRequest): string {
	const contentType = request.headers['content-type'] ?? '';
	const [type = ''] = contentType.split(';');
	return type.trim().toLowerCase();
}

/** Splits a request's URL. Parameters given twice become lists. */
export function splitUrl(url: string): Pick<ServiceRequest, 'path' | 'query'> {
	const mark = url.indexOf('?');
	if (mark < 0) {
		return { path: url, query: {} };
	}

	const query = { ...parse(url.slice(mark + 1)) } as ServiceRequest['query'];
	return { path: url.slice(0, mark), query };
}

/** The request as the contract looks at it, with its body read. */
export function toContractRequest(request: ServiceRequest, body: unknown): ContractRequest {
	const { method, path, query } = request;
	return { method, path, query, headers: { 'content-type': mediaType(request) }, body };
}
