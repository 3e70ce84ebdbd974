import type { IHttpRequestHelper } from 'n8n-workflow';

import { isRecord } from '../../shared/values';
import type { AttemptResult } from './outcome';
import { ServiceError, unreadableError } from './errors';
import { networkFailure } from './networkFailure';
import {
	ANY_ANSWER,
	fullResponse,
	isStream,
	readBody,
	retryAfterMs,
	TOO_LARGE,
	type ServiceRequest,
	type ServiceResponse,
} from './message';
import { isThisMachine, secureUrl } from './url';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const ANSWER_TIMEOUT_MS = 30_000;
const FILE_TIMEOUT_MS = 60_000;

/** What every PDF file begins with, behind white space at most. */
const PDF = /^\s*%PDF-/;
/** Bytes at the head of a file in which that must be. */
const MAX_HEAD_LENGTH = 1024;

const BY_HAND = 'Download it by hand, if you trust it.';

/** The answer of a server that has the document elsewhere. */
class Redirect {
	constructor(readonly location: string) {}
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
 * Requests a PDF file through n8n, once, without a credential.
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
			...ANY_ANSWER,
			url: href,
			timeout: ANSWER_TIMEOUT_MS,
			abortSignal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
		})
		.then(async (response) => await readResponse(response, request))
		.catch((error: unknown) => {
			if (timeout.aborted) throw failure(request, `the file took over ${FILE_TIMEOUT_MS / 1000} s`);
			if (error instanceof ServiceError) throw error;
			if (isRecord(error) && error.code === TOO_LARGE)
				throw failure(request, 'the file is larger than 20 MB');
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
	if (status === 200) {
		const file = await readBody(body);
		if (PDF.test(file.toString('latin1', 0, MAX_HEAD_LENGTH))) return { status, body: file };
		throw unreadableError(request, 'a PDF file', status);
	}
	body.destroy();
	const { location } = headers;
	// Nothing went wrong: the file is elsewhere.
	return REDIRECTS.includes(status) && typeof location === 'string'
		? { status: 200, body: new Redirect(location) }
		: { status, body: undefined, retryAfterMs: retryAfterMs(headers) };
}

const failure = ({ task }: ServiceRequest, reason: string): ServiceError =>
	new ServiceError({ message: `Could not ${task}: ${reason}`, hint: BY_HAND });
