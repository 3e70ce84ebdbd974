import type { Sandbox } from '../sandbox/client';
import type { Credential, N8n } from '../test/n8n/driver';

/** Stores a credential in n8n with which workflows reach the sandbox. */
export async function createSandboxCredential(n8n: N8n, sandbox: Sandbox): Promise<Credential> {
	return await n8n.createCredential('Local sandbox', 'partnerPaymentsApi', {
		environment: 'sandbox',
		apiBaseUrl: sandbox.apiUrl,
		authBaseUrl: sandbox.authUrl,
		clientId: sandbox.clientId,
		clientSecret: sandbox.clientSecret,
		audience: sandbox.audience,
		requestsPerMinute: 100,
	});
}
