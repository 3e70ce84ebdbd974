import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { legacyRequest } from '../../service/auth/credentialTest';
import { networkFailure } from '../../service/http/networkFailure';
import { isRecord, parseJson } from '../../shared/json';
import { LedgerError } from '../ledger';
import type { ApiAnswer, ApiRequest } from './apiRequest';
import { apiKeyOf, ledgerRoot, requestOptions } from './connection';
import { answerError, blockedError, notAnN8nError, unreachableError } from './apiErrors';

/** A table that does not exist; n8n checks the scopes of a key before it looks for a table. */
const NO_TABLE = '/data-tables/0000000000000000/rows';
const NO_ROWS = { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: 0 }] };
const NO_ROWS_QUERY = `filter=${encodeURIComponent(JSON.stringify(NO_ROWS))}`;

const LIST: ApiRequest = {
	method: 'GET',
	path: '/data-tables?limit=1',
	scope: 'dataTable:list',
};

/** Requests that change nothing, each for a scope. */
const PROBES: ApiRequest[] = [
	{
		method: 'POST',
		path: '/data-tables',
		body: { name: ' ', columns: [] },
		scope: 'dataTable:create',
	},
	{ method: 'GET', path: NO_TABLE, scope: 'dataTableRow:read' },
	{ method: 'POST', path: NO_TABLE, body: { data: [] }, scope: 'dataTableRow:create' },
	{
		method: 'PATCH',
		path: `${NO_TABLE}/update`,
		body: { filter: NO_ROWS, data: { reference: '' } },
		scope: 'dataTableRow:update',
	},
	{ method: 'DELETE', path: `${NO_TABLE}/delete?${NO_ROWS_QUERY}`, scope: 'dataTableRow:delete' },
];

/**
 * Tests the credential of the ledger: lists Data Tables, and sees whether the key has every scope that
 * the ledger needs. Changes nothing.
 *
 * @returns OK, or what is wrong
 */
export async function testLedgerCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { request: legacy } = this.helpers;
	const apiKey = apiKeyOf(data);
	return await testKey(data.baseUrl, async (root, request) => {
		const options = requestOptions(root, apiKey, request);
		const contentType = request.body ? { 'Content-Type': 'application/json' } : {};
		const headers = { ...options.headers, ...contentType };
		const { status, text } = await legacyRequest(legacy, { ...options, headers });
		return { status, body: parseJson(text) };
	}).catch((error: unknown): INodeCredentialTestResult => {
		const message =
			error instanceof LedgerError
				? `${error.message}. ${error.hint}`
				: 'The credential could not be tested. Try again.';
		return { status: 'Error', message };
	});
}

async function testKey(
	baseUrl: unknown,
	send: (root: string, request: ApiRequest) => Promise<ApiAnswer>,
): Promise<INodeCredentialTestResult> {
	const root = ledgerRoot(baseUrl);
	const { host } = new URL(root);
	const ask = async (request: ApiRequest): Promise<ApiAnswer> =>
		await send(root, request).catch((error: unknown) => {
			throw blockedError(error, host) ?? unreachableError(host, networkFailure(error).reason);
		});
	const list = await ask(LIST);
	if (list.status !== 200) throw answerError(list, LIST.scope, host);
	if (!isRecord(list.body) || !Array.isArray(list.body.data)) throw notAnN8nError();
	const missing: string[] = [];
	for (const probe of PROBES) {
		const { status } = await ask(probe);
		if (status === 403) missing.push(probe.scope);
	}
	if (missing.length > 0) {
		throw answerError({ status: 403, body: undefined }, missing.join(', '), host);
	}
	return { status: 'OK', message: 'Connection successful' };
}
