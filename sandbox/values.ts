import type { Ready } from './server';

/** What to enter in n8n to use a sandbox, under the names of the fields there, a line for each. */
export function valuesToEnter(ready: Ready): string {
	const values = {
		'API Base URL': ready.apiUrl,
		'Auth Base URL': ready.authUrl,
		'Client ID': ready.clientId,
		'Client Secret': ready.clientSecret,
		Audience: ready.audience,
		Workspace: ready.workspaceId,
		Payee: ready.verifiedVendorEmail,
		OAuth2: `client ${ready.applicationId}, secret ${ready.applicationSecret}`,
		'Sign in as': `${ready.userEmail}, password ${ready.userPassword}`,
	};

	return Object.entries(values)
		.map(([name, value]) => `  ${name.padEnd(15)}${value}`)
		.join('\n');
}
