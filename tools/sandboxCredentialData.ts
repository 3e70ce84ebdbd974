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
		requestsPerMinute: sandbox.requestsPerMinute,
		rateWindowSeconds: sandbox.rateWindowSeconds,
	};
}

/** The data of an OAuth2 credential for the sandbox's application, not connected to an account yet. */
export function applicationCredentialData(sandbox: Sandbox): Record<string, string | number> {
	return {
		...sandboxCredentialData(sandbox),
		clientId: sandbox.applicationId,
		clientSecret: sandbox.applicationSecret,
		audience: '',
	};
}
