import { STATUS_CODES, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError } from '../shared/errors';
import type { Certificate } from './certificate';
import type { ServiceResponse } from './messages';

/** How often a server looks for requests that take too long. */
const MOST_OFTEN_MS = 1_000;

/** Options of the framework for a server that speaks HTTP, or with a certificate HTTPS alone. */
export function connectionOptions(
	certificate: Certificate | undefined,
	requestTimeoutMs: number,
): { requestTimeout: number } & ({ http: ServerOptions } | { https: ServerOptions }) {
	const checks = {
		connectionsCheckingInterval: Math.min(MOST_OFTEN_MS, requestTimeoutMs),
		// Of two times, Node.js takes the longer one for the whole request.
		headersTimeout: requestTimeoutMs,
	};
	if (certificate === undefined) {
		return { requestTimeout: requestTimeoutMs, http: checks };
	}

	const { key, cert } = certificate;
	const https = { ...checks, key, cert };
	return { requestTimeout: requestTimeoutMs, https };
}

const refusals: Partial<Record<string, [status: number, code: string, message: string]>> = {
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
	HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of the request are too large.'],
};

/** Answers, in the service's own form, what is no request that could be handled, and ends the connection. */
export const refuseConnection =
	(renderError: (refusal: HttpError) => ServiceResponse) =>
	(error: Error & { code?: string }, socket: Socket): void => {
		if (error.code === 'ECONNRESET' || !socket.writable) {
			socket.destroy();
			return;
		}

		const [status, code, message] = refusals[error.code ?? ''] ?? [
			400,
			'invalid_request',
			'This is no HTTP request.',
		];

		const response = renderError(new HttpError(status, code, message));
		const body = response.text ?? JSON.stringify(response.body);
		const headers = {
			'content-type': 'application/json; charset=utf-8',
			...response.headers,
			'content-length': String(Buffer.byteLength(body)),
			connection: 'close',
		};

		const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
		const first = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`;
		socket.end([first, ...lines, '', body].join('\r\n'));
	};
