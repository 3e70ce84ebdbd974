import type { Sandbox } from '../sandbox/client';

/** The data of a client-credentials credential with which n8n reaches a sandbox. */
export function sandboxCredentialData(sandbox: Sandbox): Record<string, string | number> {
	return {
		environment: 'sandbox',
		apiBaseUrl: sandbox.apiUrl,
		authBaseUrl: sandbox.authUrl,
		clientId: sandbox.clientId,
		clientSecret: sandbox.clientSecret,
		audience: sandbox.audience,
		requestsPerMinute: 100,
	};
}
