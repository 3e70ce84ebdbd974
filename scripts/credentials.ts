import type { Sandbox } from '../sandbox/client';
import type { Credential, N8n } from '../tools/n8n';
import { createLedgerCredential } from '../tools/payouts/ledgerStore';
import { applicationCredentialData, sandboxCredentialData } from '../tools/sandboxCredentialData';

/** What the credential is called that still has to be connected. */
export const APPLICATION = 'Local sandbox as a user';

/**
 * Stores both kinds of credential for the sandbox and one for the payout ledger in this n8n, and lets
 * n8n's own address connect accounts.
 *
 * @returns those that work at once: with client credentials, and for the ledger
 */
export async function createCredentials(n8n: N8n, sandbox: Sandbox): Promise<Credential[]> {
	await sandbox.control.addRedirectUri(n8n.callbackUrl);
	await n8n.createCredential(
		APPLICATION,
		'partnerPaymentsOAuth2Api',
		applicationCredentialData(sandbox),
	);
	const apiKey = await n8n.client.createApiKey((scope) => scope.startsWith('dataTable'));
	return [
		await n8n.createCredential(
			'Local sandbox',
			'partnerPaymentsApi',
			sandboxCredentialData(sandbox),
		),
		await createLedgerCredential(n8n, apiKey, "This n8n's Data Tables"),
	];
}
