import type { IncomingHttpHeaders } from 'node:http';
import { FAULT_HEADER } from '../http/faultHeader';
import type { ServiceRequest, ServiceResponse } from '../http/messages';
import { HttpError } from '../shared/errors';

/** What belongs to one connection, or to the proxy itself. */
const NOT_PASSED_ON = new Set([
	'accept-encoding',
	'connection',
	'content-encoding',
	'content-length',
	'expect',
	'host',
	'keep-alive',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	FAULT_HEADER,
]);

const BODILESS = ['GET', 'HEAD'];
const TIMEOUT_MS = 60_000;

/** The headers that go on. */
function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
	const passed: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		if (value !== undefined && !NOT_PASSED_ON.has(name)) {
			passed[name] = [value].flat().join(', ');
		}
	}

	return passed;
}

function headersOf(response: Response): Record<string, string> {
	const headers: Record<string, string> = {};
	response.headers.forEach((value, name) => {
		headers[name] = value;
	});

	return passedOn(headers);
}

/**
 * Sends a request on and answers as the service does. A redirect is for the browser to follow.
 * @throws HttpError 502 when no answer comes; whether the request has taken effect is not known then
 */
export async function forward(
	url: string,
	request: ServiceRequest,
	body = request.body,
): Promise<ServiceResponse> {
	const isBodiless = BODILESS.includes(request.method) || body.length === 0;
	try {
		const response = await fetch(url, {
			method: request.method,
			headers: passedOn(request.headers),
			body: isBodiless ? null : new Uint8Array(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});

		return {
			status: response.status,
			headers: headersOf(response),
			text: await response.text(),
		};
	} catch (error) {
		const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new HttpError(502, 'no_answer', `The service gave the proxy no answer: ${why}.`);
	}
}
