import type { IDataObject } from 'n8n-workflow';

/**
 * What repeating a request means, in the terms of RFC 9110 §9.2: a safe one changes nothing, an
 * idempotent one sets the same state again, a non-idempotent one has a second effect.
 */
export type Semantics = 'safe' | 'idempotent' | 'nonIdempotent';

export interface ServiceRequest {
	method: 'GET' | 'POST';
	/** The path under the API's root, with its values filled in. */
	path: string;
	/** What the request does, to follow "could not", for example "create the payable". */
	task: string;
	semantics: Semantics;
	/** Where a person sees whether it went through, as a sentence, when that is easily mistaken. */
	lookUp?: string;
	body?: IDataObject;
}

/** A success: the parsed body (or its text, when it is no JSON) and the status. */
export interface ServiceResponse {
	body: unknown;
	status: number;
}
