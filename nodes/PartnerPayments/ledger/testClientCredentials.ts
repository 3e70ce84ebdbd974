import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { legacyRequest, testService } from '../api/auth/testService';
import { findTable } from './findLedger';
import { LedgerError } from './ledger';
import { readLedgerSettings } from './openLedger';
import { ApiStore } from './table/apiStore';
import {
	connectN8n,
	daysUntilExpiry,
	EXPIRY_NOTICE_DAYS,
	ScopeError,
	type N8nApi,
} from './table/n8nApi';
import { equals } from './table/rows';

/**
 * Tests client credentials and, with an n8n API key, the ledger that it shares. Changes nothing. The ledger
 * of a project can be reached by a workflow alone.
 */
export async function testClientCredentials(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const result = await testService.call(this, credential);
	const { shared, table } = readLedgerSettings(credential.data ?? {});
	if (result.status !== 'OK' || shared === undefined) {
		return result;
	}
	const { request } = this.helpers;
	try {
		const api = connectN8n(async (options) => await legacyRequest(request, options), shared);
		await testLedger(api, table);
	} catch (error) {
		if (error instanceof LedgerError) {
			return { status: 'Error', message: `${error.message}. ${error.hint}` };
		}
		return { status: 'Error', message: 'The ledger could not be tested. Try again.' };
	}
	const days = daysUntilExpiry(shared.apiKey);
	return days > EXPIRY_NOTICE_DAYS
		? result
		: { status: 'OK', message: `Connected. The n8n API key expires in ${Math.floor(days)} days.` };
}

/** A table that n8n never makes: "id" is a column of its own. */
const FORBIDDEN_TABLE = { name: 'Payout Ledger (test)', columns: [{ name: 'id', type: 'string' }] };

/** Sends every request that paying needs, without effect: for no row, and with a column that does not exist. */
async function testLedger(api: N8nApi, table: string): Promise<void> {
	const store = new ApiStore(api);
	// The first payout makes a table that is not there yet.
	const id = findTable(store, await store.list(), table) ?? 'none';
	const none = [equals('id', 0)];
	const isNew = id === 'none';
	await ignoringAbsence(isNew, async () => {
		await store.run(id, [{ kind: 'find', match: 'all', conditions: none, order: 'ascending' }]);
	});
	await ignoringAbsence(isNew, async () => {
		await store.run(id, [{ kind: 'update', all: none, values: { reference: '' } }]);
	});
	await ignoringAbsence(isNew, async () => {
		await store.run(id, [{ kind: 'delete', all: none }]);
	});
	await ignoringAbsence(true, async () => {
		const path = `/data-tables/${id}/rows`;
		await api.call({ method: 'POST', path, body: { data: [{ not_a_column: '' }] } });
	});
	await ignoringAbsence(true, async () => {
		await api.call({ method: 'POST', path: '/data-tables', body: FORBIDDEN_TABLE });
	});
}

/** Sends a request that may fail for what it names, and must not fail for want of a scope. */
async function ignoringAbsence(mayFail: boolean, send: () => Promise<void>): Promise<void> {
	await send().catch((error: unknown) => {
		if (!mayFail || error instanceof ScopeError) {
			throw error;
		}
	});
}
