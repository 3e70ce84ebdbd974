import type { IHttpRequestHelper } from 'n8n-workflow';

import { isRecord } from '../../shared/typeGuards';
import { ServiceError, unreadableError } from './errors';
import { ANY_ANSWER, fullResponse, retryAfterMs, TOO_LARGE, type ServiceRequest } from './message';
import { networkFailure } from './networkFailure';
import { classifyStatus, type AnsweredAttempt, type AttemptResult } from './outcome';
import { isThisMachine, secureUrl, throwBadAddress } from './url';

const ANSWER_TIMEOUT_MS = 30_000;
const FILE_TIMEOUT_MS = 60_000;

const PDF = /^\s*%PDF-/;
/** The signature stands within so many bytes. */
const MAX_HEAD_LENGTH = 1024;

const BY_HAND = 'Download it by hand, if you trust it.';

/**
 * Checks the address of a document that the service named.
 *
 * @param root the root of the API: addresses on this machine are for an API on this machine alone
 */
export function documentAddress(url: string, root: string): URL {
	const name = 'The address of the document';
	const address = secureUrl(url, name, BY_HAND);
	if (!isThisMachine(address) || isThisMachine(new URL(root))) {
		return address;
	}

	return throwBadAddress(name, 'leads to this machine, unlike the API of the service', BY_HAND);
}

/**
 * Requests a PDF file through n8n, once, without a credential. No redirect is followed, since the
 * answer would decide where it leads.
 *
 * @returns an answer; a success has a Buffer as its body
 * @throws ServiceError for an answer that is no PDF file
 */
export async function requestPdf(
	{ helpers }: IHttpRequestHelper,
	{ href }: URL,
	request: ServiceRequest,
	signal: AbortSignal | undefined,
): Promise<AttemptResult> {
	const timeout = AbortSignal.timeout(FILE_TIMEOUT_MS);
	const fail = (reason: string): never => {
		throw new ServiceError({
			message: `Could not ${request.task}: ${reason}`,
			hint: BY_HAND,
			outcome: 'refused',
		});
	};
	const read = async (response: unknown): Promise<AnsweredAttempt> => {
		const { status, body, headers } = await fullResponse(response);
		if (status >= 300 && status < 400) {
			return fail('its file has moved to another address');
		}

		if (classifyStatus(status) !== 'success') {
			const askedMs = retryAfterMs(headers);
			return { kind: 'answered', status, body: undefined, retryAfterMs: askedMs };
		}

		if (PDF.test(body.toString('latin1', 0, MAX_HEAD_LENGTH))) {
			return { kind: 'answered', status, body };
		}

		throw unreadableError(request, 'a PDF file', status);
	};
	return await helpers
		.httpRequest({
			...ANY_ANSWER,
			url: href,
			timeout: ANSWER_TIMEOUT_MS,
			abortSignal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
		})
		.then(read)
		.catch((error: unknown): AttemptResult => {
			if (timeout.aborted) {
				return fail(`the file took over ${FILE_TIMEOUT_MS / 1000} s`);
			}

			if (error instanceof ServiceError) {
				throw error;
			}

			if (isRecord(error) && error.code === TOO_LARGE) {
				return fail('the file is larger than 20 MB');
			}

			return { kind: 'unanswered', failure: networkFailure(error) };
		});
}
