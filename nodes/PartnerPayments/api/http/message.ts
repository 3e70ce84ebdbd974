import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/typeGuards';

/**
 * What repeating a request means, in the terms of RFC 9110 §9.2: a safe one changes nothing, an
 * idempotent one sets the same state again, a non-idempotent one has a second effect.
 */
export type Idempotency = 'safe' | 'idempotent' | 'nonIdempotent';

export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	/** What the request does, to follow "could not", for example "create the payable". */
	task: string;
	idempotency: Idempotency;
	/** What to do after no clear answer, for requests where that is easy to get wrong. */
	unconfirmedHint?: string;
	/** What to do when it does not fit the state that things are in, where that says what was done. */
	conflictHint?: string;
	/** What to do when the service says no to what is asked, where "nothing was done" would not be the whole truth. */
	declinedHint?: string;
	body?: IDataObject;
}

/** An answer of the service: the parsed body (or its text, when it is no JSON) and the status. */
export interface ServiceResponse {
	body: unknown;
	status: number;
}

/** An answer to an HTTP request, whatever its status. */
export interface TextResponse {
	status: number;
	text: string;
}

/** No honest answer and no invoice is larger. */
const MAX_BYTES = 20 * 1024 * 1024;
/** The code of the error for a larger answer. */
export const TOO_LARGE = 'EMSGSIZE';

/** Makes n8n return any answer, whatever its status, as a stream that can be read up to a size. */
export const ANY_ANSWER = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/** Reads a full response of n8n's request helpers; JSON that n8n parsed on its own is written out again. */
export async function textResponse(response: unknown) {
	const { body, ...rest } = await fullResponse(response);
	return { ...rest, text: body.toString() };
}

/** The parts of a full response, the headers by their names in lower case; status 0 when it is none. */
export async function fullResponse(response: unknown) {
	const { statusCode = 0, body, headers } = isRecord(response) ? response : {};
	return {
		status: Number(statusCode),
		body: await readBody(body),
		headers: isRecord(headers) ? headers : {},
	};
}

/** Reads a body to its end; throws an error with the code `TOO_LARGE`, and reads no further. */
async function readBody(body: unknown): Promise<Buffer> {
	if (!isStream(body)) {
		return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
	}

	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > MAX_BYTES) {
			throw Object.assign(new Error('Too large'), { code: TOO_LARGE });
		}

		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
	isRecord(body) && Symbol.asyncIterator in body;

/** A longer wait is a mistake, or an attack. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * How many milliseconds an answer asks to wait (RFC 9110 §10.2.3): Retry-After has seconds or a date.
 * More than an hour is ignored.
 */
export function retryAfterMs(
	headers: Record<string, unknown>,
	today = Date.now(),
): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') {
		return undefined;
	}

	const seconds = Number(value);
	// Compared with the service's own clock where it is known, since this machine's may be wrong.
	const sentAt = typeof headers.date === 'string' ? Date.parse(headers.date) : NaN;
	const waitMs = Number.isFinite(seconds)
		? seconds * 1000
		: Date.parse(value) - (Number.isNaN(sentAt) ? today : sentAt);
	return waitMs <= MAX_RETRY_AFTER_MS ? Math.max(0, waitMs) : undefined;
}
