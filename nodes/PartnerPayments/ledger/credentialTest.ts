import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { legacyRequest, testService } from '../api/auth/credentialTest';
import { connectN8n, ScopeError } from './dataTable/n8nApi';
import { equals, TableRows } from './dataTable/rows';
import { findTable } from './dataTable/table';
import { LedgerError } from './ledger';
import { readLedgerSettings } from './openLedger';

/** Tests client credentials and their ledger table. Changes nothing. */
export async function testClientCredentials(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const result = await testService.call(this, credential);
	const settings = readLedgerSettings(credential.data ?? {});
	if (result.status !== 'OK' || settings === undefined) return result;
	const { request } = this.helpers;
	try {
		const api = connectN8n(legacyRequest.bind(undefined, request), settings);
		const id = await findTable(api, settings.table);
		const rows = new TableRows(api, id);
		// Every request that paying needs, without effect: for no row, and with a column that does not exist.
		const none = equals('id', 0);
		await rows.all(none);
		await rows.update([none], { reference: '' });
		await rows.delete(none);
		const body = { data: [{ not_a_column: '' }] };
		const insertion = { method: 'POST', path: `/data-tables/${id}/rows`, body } as const;
		await api.call(insertion).catch((error: unknown) => {
			if (error instanceof ScopeError) throw error;
		});
		return result;
	} catch (error) {
		if (error instanceof LedgerError)
			return { status: 'Error', message: `${error.message}. ${error.hint}` };
		return { status: 'Error', message: 'The ledger could not be tested. Try again.' };
	}
}
