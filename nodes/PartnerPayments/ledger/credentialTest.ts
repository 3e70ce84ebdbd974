import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { legacyRequest, testService } from '../service/auth/credentialTest';
import { connectN8n, ScopeError } from './dataTable/n8nApi';
import { equals, TableRows } from './dataTable/rows';
import { findTable } from './dataTable/table';
import { LedgerError } from './ledger';
import { readLedgerSettings, type LedgerSettings } from './openLedger';

/**
 * Tests client credentials, and the ledger table that they name. Changes nothing.
 *
 * @returns OK, or what is wrong
 */
export async function testClientCredentials(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const result = await testService.call(this, credential);
	const settings = readLedgerSettings(credential.data ?? {});
	if (result.status !== 'OK' || settings === undefined) return result;
	return await testLedger(this.helpers, settings).then(
		() => result,
		(error: unknown): INodeCredentialTestResult => ({
			status: 'Error',
			message:
				error instanceof LedgerError
					? `${error.message}. ${error.hint}`
					: 'The ledger could not be tested. Try again.',
		}),
	);
}

/** Asks for all that paying asks for, so that nothing is changed: of no row, and with a column that is not there. */
async function testLedger(
	{ request }: ICredentialTestFunctions['helpers'],
	{ baseUrl, apiKey, table }: LedgerSettings,
): Promise<void> {
	const api = connectN8n(legacyRequest.bind(undefined, request), baseUrl, apiKey);
	const id = await findTable(api, table);
	const rows = new TableRows(api, id);
	const none = equals('id', 0);
	await rows.all(none);
	await rows.update([none], { reference: '' });
	await rows.delete(none);
	const body = { data: [{ not_a_column: '' }] };
	const path = `/data-tables/${id}/rows`;
	await api
		.call({ method: 'POST', path, body, scope: 'dataTableRow:create' })
		.catch((error: unknown) => {
			if (error instanceof ScopeError) throw error;
		});
}
