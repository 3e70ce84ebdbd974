/** An answer to an HTTP request, whatever its status. */
export interface TextAnswer {
	status: number;
	text: string;
}

/**
 * Reads a full response of n8n's request helpers, which have no type of their own.
 *
 * @param response what the helper resolved with; JSON that n8n parsed on its own is written out again
 */
export function textAnswer(response: unknown): TextAnswer {
	const { statusCode, body } = fullResponse(response);
	return { status: statusCode, text: typeof body === 'string' ? body : JSON.stringify(body ?? '') };
}

/** The status and the body of a full response, 0 and undefined when it is none. */
export function fullResponse(response: unknown): { statusCode: number; body: unknown } {
	if (typeof response !== 'object' || response === null) return { statusCode: 0, body: undefined };
	const statusCode = 'statusCode' in response ? Number(response.statusCode) : 0;
	return { statusCode, body: 'body' in response ? response.body : undefined };
}

/** The headers of a full response, by their names in lower case. */
export function headersOf(response: unknown): Record<string, unknown> {
	if (typeof response !== 'object' || response === null || !('headers' in response)) return {};
	return Object.fromEntries(Object.entries(response.headers ?? {}));
}
