import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { ExplainedError } from '../../shared/errors';
import { parseJsonOrText } from '../../shared/json';
import { isEmpty, isRecord } from '../../shared/typeGuards';
import { readWorkspaceId } from '../../shared/workspaceIds';
import { ServiceError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { textResponse, type TextResponse } from '../http/message';
import { baseUrl } from '../http/url';
import { requestToken, type Transport } from './accessToken';
import { readEnvironment } from './credentials';

const TIMEOUT_MS = 30_000;

/**
 * Tests the service of client credentials: asks for a new token, shows it to the API, and reads the wallet
 * of the default workspace. The API refuses client credentials at the user endpoint with 403, which proves
 * that it accepted the token.
 */
export async function testService(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	// A credential test has only this helper for requests.
	const transport: Transport = async (request) => await legacyRequest(helpers.request, request);
	try {
		await testAddressesAndWorkspace(credential.data ?? {}, transport);
		return { status: 'OK', message: 'Connection successful' };
	} catch (error) {
		if (error instanceof ExplainedError) {
			return { status: 'Error', message: `${error.message}. ${error.hint}` };
		}

		return { status: 'Error', message: 'The credential could not be tested. Try again.' };
	}
}

async function testAddressesAndWorkspace(
	credentials: Record<string, unknown>,
	transport: Transport,
) {
	readEnvironment(credentials);
	const root = baseUrl(credentials.apiBaseUrl, 'API Base URL');
	const token = await requestToken(credentials, transport);
	const fail = (what: string, hint: string): never => {
		throw new ServiceError({ message: `The API at ${new URL(root).host} ${what}`, hint });
	};
	const get = async (path: string): Promise<TextResponse> =>
		await transport({
			method: 'GET',
			url: root + path,
			headers: { Accept: 'application/json', Authorization: `Bearer ${token.value}` },
			timeout: TIMEOUT_MS,
			disableFollowRedirect: true,
		}).catch((error: unknown) =>
			fail(
				`cannot be reached, ${networkFailure(error).reason}`,
				'Check the "API Base URL" of the credential.',
			),
		);
	const { status, text } = await get('/user/current');
	// A page comes from a proxy or another website.
	const isRefusedUser = status === 403 && !text.trimStart().startsWith('<');
	const isUser = status === 200 && isRecord(parseJsonOrText(text));
	if (status !== 429 && !isRefusedUser && !isUser) {
		fail(
			`did not accept the token (status ${status})`,
			'Check that "Audience", "API Base URL" and "Auth Base URL" of the credential belong to the same environment. If they do, try again later.',
		);
	}

	if (isEmpty(credentials.defaultWorkspaceId)) {
		return;
	}

	const fallback = credentials.defaultWorkspaceId;
	const workspace = readWorkspaceId({ value: '', written: '', fallback });
	const wallet = await get(`/workspace/${workspace}/wallet`);
	if (wallet.status < 400 || wallet.status === 429) {
		return;
	}

	fail(
		`shows no wallet of this workspace (status ${wallet.status})`,
		'Check "Default Workspace ID" of the credential. If it is right, try again later.',
	);
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
