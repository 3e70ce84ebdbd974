import type { IHttpRequestHelper } from 'n8n-workflow';

import { isRecord } from '../../shared/json';
import type { AttemptResult } from './outcome';
import { ServiceError, unreadableError } from './errors';
import { networkFailure } from './networkFailure';
import { fullResponse, retryAfterMs, type ServiceRequest, type ServiceResponse } from './message';

import { isThisMachine, secureUrl } from './url';

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const ANSWER_TIMEOUT_MS = 30_000;
const FILE_TIMEOUT_MS = 60_000;

/** What every PDF file begins with, behind blanks at most. */
const SIGNATURE = '%PDF-';
/** Bytes at the head of a file in which it must stand. */
const MAX_HEAD_LENGTH = 1024;

const BY_HAND = 'Download it by hand, if you trust it.';

/** The answer of a server that has the document elsewhere. */
class Redirect {
	constructor(readonly location: string) {}
}

/** A body that arrives piece by piece. Whoever stops to read it closes the connection. */
interface Stream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): void;
}

/**
 * Downloads a PDF file from an address that the service named, and follows redirects. Each address is
 * checked before anything is sent to it, since whoever answers decides where a redirect leads.
 *
 * @param root the root of the API: addresses on this machine are for an API on this machine alone
 * @param send sends one request, with `requestPdf`
 */
export async function downloadPdf(
	url: string,
	root: string,
	request: ServiceRequest,
	send: (address: URL) => Promise<ServiceResponse>,
): Promise<Buffer> {
	let address = checkedAddress(url, root, 'The address of the document');
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
		const { body } = await send(address);
		if (!(body instanceof Redirect)) return Buffer.isBuffer(body) ? body : Buffer.of();
		const { location } = body;
		const next = URL.canParse(location, address.href) ? new URL(location, address).href : location;
		address = checkedAddress(next, root, 'The address that the document has moved to');
	}
	throw failure(request, `its file has moved more than ${MAX_REDIRECTS} times`);
}

/**
 * Requests a PDF file through n8n, once, without a credential. Reads no more of the answer than it takes
 * to see that it is none, or that it is too large.
 *
 * @returns a body that `downloadPdf` understands: the file, or where it is
 * @throws ServiceError for an answer that is no PDF file
 */
export async function requestPdf(
	{ helpers }: IHttpRequestHelper,
	{ href }: URL,
	request: ServiceRequest,
	signal: AbortSignal | undefined,
): Promise<AttemptResult> {
	const timeout = AbortSignal.timeout(FILE_TIMEOUT_MS);
	return await helpers
		.httpRequest({
			url: href,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: ANSWER_TIMEOUT_MS,
			abortSignal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
		})
		.then(async (response) => await readResponse(response, request))
		.catch((error: unknown) => {
			if (timeout.aborted) throw failure(request, `the file took over ${FILE_TIMEOUT_MS / 1000} s`);
			if (error instanceof ServiceError) throw error;
			return { failure: networkFailure(error) };
		});
}

function checkedAddress(text: string, root: string, name: string): URL {
	const address = secureUrl(text, name, BY_HAND);
	if (!isThisMachine(address) || isThisMachine(new URL(root))) return address;
	throw new ServiceError({
		message: `${name} leads to this machine, where the API of the service is not`,
		hint: BY_HAND,
	});
}

async function readResponse(response: unknown, request: ServiceRequest): Promise<AttemptResult> {
	const { statusCode: status, body, headers } = fullResponse(response);
	if (!isStream(body)) throw unreadableError(request, 'a PDF file', status);
	if (status === 200) return { status, body: await readPdf(body, request) };
	body.destroy();
	const { location } = headers;
	// Nothing went wrong: the file is elsewhere.
	return REDIRECTS.includes(status) && typeof location === 'string'
		? { status: 200, body: new Redirect(location) }
		: { status, body: undefined, retryAfterMs: retryAfterMs(headers) };
}

async function readPdf(stream: Stream, request: ServiceRequest): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	let head = '';
	for await (const chunk of stream) {
		chunks.push(chunk);
		size += chunk.length;
		if (size > MAX_BYTES) throw failure(request, 'the file is larger than 20 MB');
		const missing = MAX_HEAD_LENGTH - head.length;
		if (missing > 0) head += Buffer.from(chunk.subarray(0, missing)).toString('latin1');
		if (!mayBePdf(head)) break;
	}
	if (!isPdf(head)) throw unreadableError(request, 'a PDF file', 200);
	return Buffer.concat(chunks);
}

const isPdf = (head: string): boolean => head.trimStart().startsWith(SIGNATURE);

/** Whether the bytes that have come so far may be the beginning of a PDF file. */
function mayBePdf(head: string): boolean {
	const start = head.trimStart().slice(0, SIGNATURE.length);
	return start === SIGNATURE || (head.length < MAX_HEAD_LENGTH && SIGNATURE.startsWith(start));
}

const isStream = (body: unknown): body is Stream =>
	isRecord(body) && Symbol.asyncIterator in body && typeof body.destroy === 'function';

const failure = ({ task }: ServiceRequest, reason: string): ServiceError =>
	new ServiceError({ message: `Could not ${task}: ${reason}`, hint: BY_HAND });
