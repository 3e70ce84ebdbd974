import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { baseUrl } from '../http/url';
import { textAnswer, type TextAnswer } from '../http/response';
import { ServiceError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { isRecord, parseBody } from '../api/responseReaders';
import { requestToken, type Transport } from './accessToken';

const TIMEOUT_MS = 30_000;

/**
 * Tests client credentials: asks for a new token, then shows it to the API. The API refuses client
 * credentials at the user endpoint with 403 (that one it must know), which proves that the token
 * itself was accepted.
 *
 * @returns OK, or one sentence that tells which part of the credential is wrong
 */
export async function testClientCredentials(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	// The context of a credential test has this one helper for requests.
	const transport: Transport = async (request) => await legacyRequest(helpers.request, request);
	try {
		await proveBothAddresses(credential.data ?? {}, transport);
		return { status: 'OK', message: 'Connection successful' };
	} catch (error) {
		if (!(error instanceof ServiceError)) {
			return { status: 'Error', message: 'The credential could not be tested. Try again.' };
		}
		return { status: 'Error', message: `${error.message}. ${error.advice}` };
	}
}

async function proveBothAddresses(credentials: Record<string, unknown>, transport: Transport) {
	const root = baseUrl(credentials.apiBaseUrl, 'API Base URL');
	const token = await requestToken(credentials, transport);
	const { host } = new URL(root);
	const answer = await transport({
		method: 'GET',
		url: `${root}/user/current`,
		headers: { Accept: 'application/json', Authorization: `Bearer ${token.value}` },
		timeout: TIMEOUT_MS,
		disableFollowRedirect: true,
	}).catch((error: unknown) => {
		throw new ServiceError(
			`The API at ${host} cannot be reached, ${networkFailure(error).reason}`,
			'Check the API Base URL of the credential.',
		);
	});
	judge(answer, host);
}

function judge({ status, text }: TextAnswer, host: string): void {
	if (status >= 500) {
		throw new ServiceError(
			`The API at ${host} has a problem of its own (status ${status})`,
			'Try again later.',
		);
	}
	if (status === 401) {
		throw new ServiceError(
			`The API at ${host} does not accept the token (status 401)`,
			'Check that the audience and both addresses belong to the same environment.',
		);
	}
	if (status === 429 || ((status === 200 || status === 403) && isRecord(parseBody(text)))) return;
	throw new ServiceError(
		`There is no API of the service at that address (status ${status})`,
		'Check the API Base URL of the credential.',
	);
}

/** Sends through n8n's older request helper, whose options have other names. */
async function legacyRequest(
	send: ICredentialTestFunctions['helpers']['request'],
	request: IHttpRequestOptions,
): Promise<TextAnswer> {
	const response: unknown = await send({
		method: request.method,
		uri: request.url,
		headers: request.headers,
		...(request.body !== undefined && { body: JSON.stringify(request.body) }),
		timeout: request.timeout,
		followRedirect: false,
		simple: false,
		resolveWithFullResponse: true,
	});
	return textAnswer(response);
}
