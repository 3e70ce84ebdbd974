import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Boundary, Match } from '../contract/contract';
import { Refusal } from '../shared/errors';
import { splitUrl, type Answer, type Call } from './messages';
import { performUnder, type Faults } from './faults';
import type { LoggedRequest, RequestLog } from './request-log';

/** One of the two hosts: what it answers, and how it words a refusal. */
export interface Host {
	name: LoggedRequest['host'];
	boundary: Boundary;
	/** Answers a request that the contract knows. May throw a Refusal. */
	perform: (match: Match, call: Call, entry: LoggedRequest) => Promise<Answer>;
	/** The body of a refusal. */
	word: (refusal: Refusal) => unknown;
	log: RequestLog;
	faults: Faults;
	/** Where failures of the sandbox itself are reported. */
	complain: (text: string) => void;
}

/** Largest body that is read, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

/** Sends everything that arrives at the application through the contract of the host. */
export function serve(app: FastifyInstance, host: Host): void {
	// Bodies are read as bytes: what is wrong with them is told in the service's own words.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_, body, done) => {
		done(null, body);
	});
	app.setNotFoundHandler(async (request, reply) => {
		await exchange(host, request, reply);
	});
	app.setErrorHandler(async (error: unknown, request, reply) => {
		const entry = host.log.open(host.name, callOf(request));
		const answer = render(host, fromFramework(error, host));
		entry.serviceStatus = answer.status;
		await send(reply, settle(entry, answer));
	});
}

/** Answers one request, whatever it is. */
export async function exchange(
	host: Host,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const call = callOf(request);
	const entry = host.log.open(host.name, call);
	const match = find(host, call);
	entry.operationId = match?.operationId ?? null;
	entry.outsideContract = match === undefined;
	const faults = host.faults.take(call.method, match);
	entry.faults = faults.map(({ kind }) => kind);
	const outcome = await performUnder(faults, async () => {
		const answer = await attempt(host, match, call, entry);
		entry.serviceStatus = answer.status;
		return answer;
	});
	if (outcome === 'cut') {
		reply.hijack();
		request.raw.socket.destroy();
		return;
	}
	const answer = settle(entry, outcome);
	noticeHangUp(reply, entry);
	await send(reply, answer);
}

/** Whoever has gone before the answer was out did not get it. */
function noticeHangUp({ raw }: FastifyReply, entry: LoggedRequest): void {
	const note = (): void => {
		if (!raw.writableFinished) entry.status = null;
	};
	if (raw.closed) note();
	else raw.once('close', note);
}

async function attempt(
	host: Host,
	match: Match | undefined,
	call: Call,
	entry: LoggedRequest,
): Promise<Answer> {
	try {
		if (match === undefined) {
			throw new Refusal(404, 'unknown_endpoint', `The service has no ${call.method} ${call.path}.`);
		}
		return await host.perform(match, call, entry);
	} catch (error) {
		return render(host, error);
	}
}

/** A path that is no valid percent-encoding matches nothing. */
function find(host: Host, call: Call): Match | undefined {
	try {
		decodeURIComponent(call.path);
		return host.boundary.match(call.method, call.path);
	} catch {
		return undefined;
	}
}

function render(host: Host, error: unknown): Answer {
	const refusal = error instanceof Refusal ? error : unexpected(error, host);
	return { status: refusal.status, headers: refusal.headers, body: host.word(refusal) };
}

function unexpected(error: unknown, host: Host): Refusal {
	host.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
	return new Refusal(500, 'internal_error', 'The sandbox has failed; its output says why.');
}

const frameworkRefusals: Record<string, Refusal> = {
	FST_ERR_CTP_BODY_TOO_LARGE: new Refusal(
		413,
		'body_too_large',
		`The body is larger than ${BODY_LIMIT} bytes.`,
	),
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: new Refusal(
		400,
		'invalid_request',
		'The body is not as long as its Content-Length says.',
	),
	FST_ERR_CTP_INVALID_MEDIA_TYPE: new Refusal(
		415,
		'unsupported_media_type',
		'The body must be sent as application/json.',
	),
};

function fromFramework(error: unknown, host: Host): Refusal {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return frameworkRefusals[code] ?? unexpected(error, host);
}

function settle(entry: LoggedRequest, answer: Answer): Answer {
	entry.status = answer.status;
	entry.errorCode = errorCode(answer.body);
	return answer;
}

function errorCode(body: unknown): string | null {
	if (typeof body !== 'object' || body === null || !('error' in body)) return null;
	const { error } = body;
	if (typeof error === 'string') return error;
	return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
}

async function send(reply: FastifyReply, answer: Answer): Promise<void> {
	const text = answer.text ?? JSON.stringify(answer.body ?? null);
	await reply
		.code(answer.status)
		.headers({ 'content-type': 'application/json; charset=utf-8', ...answer.headers })
		.send(text);
}

/** The request as it came in. */
export function callOf(request: FastifyRequest): Call {
	return {
		method: request.method,
		...splitUrl(request.raw.url ?? '/'),
		headers: request.headers,
		body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
	};
}
