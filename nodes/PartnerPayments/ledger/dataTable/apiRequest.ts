import type { IDataObject } from 'n8n-workflow';

/** One request to the public API of n8n. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** The path under `/api/v1`, with its query. */
	path: string;
	body?: IDataObject;
	/** The scope that the API key needs for it. */
	scope: string;
}

/** An answer of n8n, whatever its status. */
export interface ApiAnswer {
	status: number;
	/** Parsed JSON, or the text when it is none. */
	body: unknown;
}

/** Sends one request to n8n's public API, once. Rejects with what the HTTP client throws. */
export type SendToN8n = (request: ApiRequest) => Promise<ApiAnswer>;
