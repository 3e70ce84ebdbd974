import { isRecord } from '../../shared/json';

/** An answer to an HTTP request, whatever its status. */
export interface TextResponse {
	status: number;
	text: string;
}

/** Reads a full response of n8n's request helpers; JSON that n8n parsed on its own is written out again. */
export function textResponse(
	response: unknown,
): TextResponse & { headers: Record<string, unknown> } {
	const { statusCode: status, body, headers } = fullResponse(response);
	return { status, text: typeof body === 'string' ? body : JSON.stringify(body ?? ''), headers };
}

/** The parts of a full response, the headers by their names in lower case; status 0 when it is none. */
export function fullResponse(response: unknown): {
	statusCode: number;
	body: unknown;
	headers: Record<string, unknown>;
} {
	const { statusCode = 0, body, headers } = isRecord(response) ? response : {};
	return { statusCode: Number(statusCode), body, headers: isRecord(headers) ? headers : {} };
}
