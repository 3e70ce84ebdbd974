import type { Sandbox } from '../sandbox/client';
import type { Credential, N8n } from '../tools/n8n';
import { applicationCredentialData, sandboxCredentialData } from '../tools/sandboxCredentialData';

/** What the credential is called that still has to be connected. */
export const APPLICATION = 'Local sandbox as a user';

/**
 * Stores both kinds of credential for the sandbox, and lets n8n's own address connect accounts.
 *
 * @returns the one that works at once: with client credentials
 */
export async function createCredentials(n8n: N8n, sandbox: Sandbox): Promise<Credential[]> {
	await sandbox.control.addRedirectUri(n8n.callbackUrl);

	const application = applicationCredentialData(sandbox);
	await n8n.createCredential(APPLICATION, 'partnerPaymentsOAuth2Api', application);

	const client = sandboxCredentialData(sandbox);
	client['defaultWorkspaceId'] = sandbox.workspaceId;
	return [await n8n.createCredential('Local sandbox', 'partnerPaymentsApi', client)];
}
