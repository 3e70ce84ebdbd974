import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isRecord, parseJson } from '../../shared/values';
import { ServiceError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { textResponse, type TextResponse } from '../http/message';
import { baseUrl } from '../http/url';
import { requestToken, type Transport } from './accessToken';
import { readEnvironment } from './credentials';

const CHECK_API_URL = 'Check the API Base URL of the credential.';
const TIMEOUT_MS = 30_000;

/**
 * Tests the service of client credentials: asks for a new token, then shows it to the API. The API refuses client
 * credentials at the user endpoint with 403 (that one it must know), which proves that the token
 * itself was accepted.
 */
export async function testService(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	// The context of a credential test has this one helper for requests.
	const transport: Transport = async (request) => await legacyRequest(helpers.request, request);
	try {
		await testBothAddresses(credential.data ?? {}, transport);
		return { status: 'OK', message: 'Connection successful' };
	} catch (error) {
		if (!(error instanceof ServiceError)) {
			return { status: 'Error', message: 'The credential could not be tested. Try again.' };
		}
		return { status: 'Error', message: `${error.message}. ${error.hint}` };
	}
}

async function testBothAddresses(credentials: Record<string, unknown>, transport: Transport) {
	readEnvironment(credentials);
	const root = baseUrl(credentials.apiBaseUrl, 'API Base URL');
	const token = await requestToken(credentials, transport);
	const { host } = new URL(root);
	const response = await transport({
		method: 'GET',
		url: `${root}/user/current`,
		headers: { Accept: 'application/json', Authorization: `Bearer ${token.value}` },
		timeout: TIMEOUT_MS,
		disableFollowRedirect: true,
	}).catch((error: unknown) => {
		fail(`The API at ${host} cannot be reached, ${networkFailure(error).reason}`, CHECK_API_URL);
	});
	assertApi(response, host);
}

function assertApi({ status, text }: TextResponse, host: string): void {
	const isAccepted = status === 200 || status === 403;
	if (status === 429 || (isAccepted && isRecord(parseJson(text)))) return;
	if (status >= 500) {
		fail(`The API at ${host} has a problem of its own (status ${status})`, 'Try again later.');
	}
	if (status === 401) {
		fail(
			`The API at ${host} does not accept the token (status 401)`,
			'Check that the audience and both addresses belong to the same environment.',
		);
	}
	fail(`There is no API of the service at that address (status ${status})`, CHECK_API_URL);
}

function fail(message: string, hint: string): never {
	throw new ServiceError({ message, hint });
}

/** Sends through n8n's older request helper, whose options have other names. */
export async function legacyRequest(
	send: ICredentialTestFunctions['helpers']['request'],
	request: IHttpRequestOptions,
): Promise<TextResponse> {
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
	return await textResponse(response);
}
