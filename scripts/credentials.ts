import type { Sandbox } from '../sandbox/client';
import type { Credential, N8n } from '../tools/n8n';
import { addLedgerTable, ledgerFields } from '../tools/payouts/ledgerStore';
import { applicationCredentialData, sandboxCredentialData } from '../tools/sandboxCredentialData';

/** The least that a ledger needs of n8n's API. */
const LEDGER_SCOPES = [
	'dataTable:list',
	...['read', 'create', 'update', 'delete'].map((action) => `dataTableRow:${action}`),
];

/** What the credential is called that still has to be connected. */
export const APPLICATION = 'Local sandbox as a user';

/**
 * Stores both kinds of credential for the sandbox, with one ledger in a table of this n8n, and lets n8n's
 * own address connect accounts.
 *
 * @returns the one that works at once: with client credentials
 */
export async function createCredentials(n8n: N8n, sandbox: Sandbox): Promise<Credential[]> {
	await sandbox.control.addRedirectUri(n8n.callbackUrl);
	await addLedgerTable(n8n);
	const apiKey = await n8n.client.createApiKey((scope) => LEDGER_SCOPES.includes(scope));
	const ledger = ledgerFields(n8n, undefined, apiKey);
	await n8n.createCredential(APPLICATION, 'partnerPaymentsOAuth2Api', {
		...applicationCredentialData(sandbox),
		...ledger,
	});
	const data = { ...sandboxCredentialData(sandbox), ...ledger };
	return [await n8n.createCredential('Local sandbox', 'partnerPaymentsApi', data)];
}
