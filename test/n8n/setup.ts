import { startSandbox, type Sandbox } from '../../sandbox/client';
import { installHost, N8n, packPackage } from './driver';

/** A sandbox and a real n8n with the packed package, and what n8n needs to use one from the other. */
export interface Bench {
	sandbox: Sandbox;
	n8n: N8n;
	/** The data of a credential that works. */
	credentialData: Record<string, unknown>;
	stop: () => Promise<void>;
}

/** Starts both. The limit on requests is out of the way unless a test asks for it. */
export async function startBench(requestsPerMinute = 100_000): Promise<Bench> {
	await installHost();
	const sandbox = await startSandbox({ requestsPerMinute });
	const n8n = await N8n.start({ tarball: packPackage() });
	return {
		sandbox,
		n8n,
		credentialData: {
			environment: 'sandbox',
			apiBaseUrl: sandbox.apiUrl,
			authBaseUrl: sandbox.authUrl,
			clientId: sandbox.clientId,
			clientSecret: sandbox.clientSecret,
			audience: sandbox.audience,
			requestsPerMinute,
		},
		stop: async () => {
			await n8n.stop();
			await sandbox.stop();
		},
	};
}
