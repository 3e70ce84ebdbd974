import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HostContract, MatchedOperation } from '../contract/contract';
import { errorText, HttpError } from '../shared/errors';
import { assertKnownHost } from './origin';
import { faultsInHeader } from './faultHeader';
import { splitUrl, type ServiceResponse, type ServiceRequest } from './messages';
import { applyFaults, type Fault, type RequestFaults } from './requestFaults';
import type { LoggedRequest, RequestLog } from './requestLog';

/** One of the two hosts: what it answers, and the form of its errors. */
export interface Host {
	name: LoggedRequest['host'];
	contract: HostContract;
	handle: (
		match: MatchedOperation,
		request: ServiceRequest,
		entry: LoggedRequest,
	) => Promise<ServiceResponse>;
	/** Answers a call that the contract does not have; where it is not given, there is none. */
	handleUnknown?: (request: ServiceRequest) => Promise<ServiceResponse>;
	renderError: (refusal: HttpError) => ServiceResponse;
	/** Faults that a request brings with it, by the values in it. */
	magicFaults?: (match: MatchedOperation, request: ServiceRequest) => Fault[];
	log: RequestLog;
	faults: RequestFaults;
	/** Names in the Host header that are answered beside those of this machine, in lower case. */
	allowedHosts: string[];
	reportError: (text: string) => void;
}

/** Into how many pieces a dripping body is cut. */
const PIECES = 40;
const BODY_LIMIT = 1024 * 1024;

/** Sends everything that arrives at the application through the contract of the host. */
export function serve(app: FastifyInstance, host: Host): void {
	app.addHook('onRequest', (request, _, next) => {
		assertKnownHost(request.headers.host, host.allowedHosts);
		next();
	});

	// Bodies are read as bytes: errors in them are answered in the service's own form.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_, body, done) => {
		done(null, body);
	});

	app.setNotFoundHandler(async (request, reply) => {
		await handleRequest(host, request, reply);
	});

	app.setErrorHandler(async (error: unknown, request, reply) => {
		const entry = host.log.open(host.name, readRequest(request));
		const refusal = error instanceof HttpError ? error : fromFramework(error, host);
		const response = render(host, refusal);
		entry.serviceStatus = response.status;
		await send(host, reply, entry, response);
	});
}

export async function handleRequest(
	host: Host,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const received = readRequest(request);
	const entry = host.log.open(host.name, received);
	const match = matchOperation(host, received);
	entry.operationId = match?.operationId ?? null;
	entry.outsideContract = match === undefined;

	const asked = readFaultHeader(received);
	if (asked.kind === 'refused') {
		await send(host, reply, entry, render(host, asked.error));
		return;
	}

	const faults = [...faultsOf(host, match, received), ...asked.faults];
	entry.faults = faults.map(({ kind }) => kind);
	if (faults.length > 0) {
		host.log.update(entry);
	}

	const outcome = await applyFaults(faults, async () => {
		const response = await respond(host, match, received, entry);
		entry.serviceStatus = response.status;
		return response;
	});
	if (typeof outcome === 'string') {
		reply.hijack();
		breakConnection(request, outcome);
		host.log.update(entry, '');
		return;
	}

	await send(host, reply, entry, outcome);
}

type AskedFaults = { kind: 'faults'; faults: Fault[] } | { kind: 'refused'; error: unknown };

function readFaultHeader({ headers }: ServiceRequest): AskedFaults {
	try {
		return { kind: 'faults', faults: faultsInHeader(headers) };
	} catch (error) {
		return { kind: 'refused', error };
	}
}

/** The faults that were injected for this request, then those that it brings with it. */
function faultsOf(
	host: Host,
	match: MatchedOperation | undefined,
	request: ServiceRequest,
): Fault[] {
	const injected = host.faults.useFor(request.method, match);
	if (match === undefined || host.magicFaults === undefined) {
		return injected;
	}

	return [...injected, ...host.magicFaults(match, request)];
}

function breakConnection(request: FastifyRequest, way: 'cut' | 'reset'): void {
	const { socket } = request.raw;
	if (way === 'reset') {
		socket.resetAndDestroy();
	} else {
		socket.destroy();
	}
}

async function respond(
	host: Host,
	match: MatchedOperation | undefined,
	request: ServiceRequest,
	entry: LoggedRequest,
): Promise<ServiceResponse> {
	try {
		// Once more, since the framework calls no hook for an address that it cannot read.
		assertKnownHost(request.headers.host, host.allowedHosts);
		if (match === undefined && host.handleUnknown !== undefined) {
			return await host.handleUnknown(request);
		}

		if (match === undefined) {
			throw new HttpError(
				404,
				'unknown_endpoint',
				`The service has no ${request.method} ${request.path}.`,
			);
		}

		return await host.handle(match, request, entry);
	} catch (error) {
		return render(host, error);
	}
}

/** A path that is no valid percent-encoding matches nothing. */
function matchOperation(host: Host, request: ServiceRequest): MatchedOperation | undefined {
	try {
		decodeURIComponent(request.path);
		return host.contract.match(request.method, request.path);
	} catch {
		return undefined;
	}
}

function render(host: Host, error: unknown): ServiceResponse {
	const refusal = error instanceof HttpError ? error : internalError(error, host);
	return { ...host.renderError(refusal), errorCode: refusal.code };
}

function internalError(error: unknown, host: Host): HttpError {
	host.reportError(errorText(error));
	return new HttpError(500, 'internal_error', 'The sandbox has failed; its output says why.');
}

/** What Fastify refuses, by its status. */
const refusalCodes: Partial<Record<number, string>> = {
	413: 'body_too_large',
	415: 'unsupported_media_type',
};

function fromFramework(error: unknown, host: Host): HttpError {
	const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
	if (status >= 500 || !(error instanceof Error)) {
		return internalError(error, host);
	}

	return new HttpError(status, refusalCodes[status] ?? 'invalid_request', `${error.message}.`);
}

/** Logs an answer and sends it. */
async function send(
	host: Host,
	reply: FastifyReply,
	entry: LoggedRequest,
	response: ServiceResponse,
): Promise<void> {
	const text = response.text ?? JSON.stringify(response.body ?? null);
	entry.status = response.status;
	entry.errorCode = response.errorCode ?? null;
	host.log.update(entry, text);
	watchForDisconnect(host, reply, entry);

	const headers = { 'content-type': 'application/json; charset=utf-8', ...response.headers };
	if (response.transfer === undefined) {
		await reply.code(response.status).headers(headers).send(text);
		return;
	}

	const body = Buffer.from(text);
	reply.hijack();
	reply.raw.writeHead(response.status, { ...headers, 'content-length': body.length });
	await transfer(reply.raw, body, response.transfer);
}

/** Whoever goes before the answer is out did not get it, and the log says so. */
function watchForDisconnect(host: Host, { raw }: FastifyReply, entry: LoggedRequest): void {
	const noteDisconnect = (): void => {
		if (raw.writableFinished) {
			return;
		}

		entry.status = null;
		host.log.update(entry);
	};
	if (raw.closed) {
		noteDisconnect();
	} else {
		raw.once('close', noteDisconnect);
	}
}

/** Sends a body in another way than whole. */
async function transfer(
	raw: ServerResponse,
	body: Buffer,
	way: NonNullable<ServiceResponse['transfer']>,
): Promise<void> {
	if (way === 'truncated') {
		raw.write(body.subarray(0, body.length / 2), () => raw.destroy());
		return;
	}

	const size = Math.ceil(body.length / PIECES);
	for (let at = 0; at < body.length && !raw.destroyed; at += size) {
		raw.write(body.subarray(at, at + size));
		await sleep(way.everyMs, undefined, { ref: false });
	}

	raw.end();
}

export function readRequest(request: FastifyRequest): ServiceRequest {
	return {
		method: request.method,
		url: request.raw.url ?? '/',
		...splitUrl(request.raw.url ?? '/'),
		headers: request.headers,
		body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
	};
}
