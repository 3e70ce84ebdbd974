import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { N8nFunctions } from '../../service/auth/credentials';
import { systemClock } from '../../service/http/clock';
import { redactedBody, redactor } from '../../service/http/redact';
import { textResponse } from '../../service/http/response';
import { parseJson } from '../../shared/json';
import { textOf } from '../../shared/values';
import { LedgerError } from '../ledger';
import type { ApiRequest, SendToN8n } from './apiRequest';
import { N8nApi } from './n8nApi';

/** The credential type of the ledger. */
const LEDGER_CREDENTIAL = 'partnerPaymentsLedgerApi';

const TIMEOUT_MS = 30_000;

/** n8n's own public API, and what tells its users apart. */
interface LedgerConnection {
	api: N8nApi;
	/** The API's address. */
	root: string;
	apiKey: string;
}

/**
 * Connects to the n8n that the node's ledger credential names.
 *
 * @throws LedgerError when the credential is missing, or its address is none
 */
export async function connectLedger(
	n8n: N8nFunctions | IExecuteFunctions,
): Promise<LedgerConnection> {
	const credentials = await n8n
		.getCredentials<{ baseUrl?: unknown; apiKey?: unknown }>(LEDGER_CREDENTIAL)
		.catch(() => {
			throw new LedgerError(
				'The payout ledger needs a credential',
				'Choose a Partner Payments Ledger API credential in the node. Where it has Remember In, leave that at Data Table: no other store knows what was paid before.',
			);
		});
	const root = ledgerRoot(credentials.baseUrl);
	const apiKey = apiKeyOf(credentials);
	const redact = redactor({}, apiKey);
	const send: SendToN8n = async (request) => {
		const options: IHttpRequestOptions = {
			// Not with n8n's authentication, which cuts requests off when an execution is stopped.
			...requestOptions(root, apiKey, request),
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			encoding: 'text',
		};
		const response: unknown = await n8n.helpers.httpRequest(options);
		const { status, text } = textResponse(response);
		return { status, body: redactedBody(parseJson(text), redact) };
	};
	return { api: new N8nApi(send, new URL(root).host, systemClock), root, apiKey };
}

/** The API key of a ledger credential, without the blanks that were copied with it. */
export const apiKeyOf = ({ apiKey }: { apiKey?: unknown }): string => textOf(apiKey).trim();

/** How a request to n8n's public API is sent. */
export const requestOptions = (
	root: string,
	apiKey: string,
	{ method, path, body }: ApiRequest,
): IHttpRequestOptions => ({
	method,
	url: root + path,
	headers: { Accept: 'application/json', 'X-N8N-API-KEY': apiKey },
	...(body !== undefined && { body, json: true }),
	disableFollowRedirect: true,
	timeout: TIMEOUT_MS,
});

/**
 * The root of the public API of an n8n. Plain http is allowed: it is this n8n's own address, which
 * often has no certificate.
 *
 * @param text the address of the n8n, or of its public API
 * @throws LedgerError when it is no web address
 */
export function ledgerRoot(text: unknown): string {
	const typed = textOf(text).trim();
	const url = URL.canParse(typed) ? new URL(typed) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new LedgerError(
			'The Base URL of the payout ledger is not a web address',
			'Enter the address at which this n8n itself can be reached, such as http://localhost:5678.',
		);
	}
	const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');
	return `${url.origin}${path}/api/v1`;
}
