import type { Sandbox } from '../../sandbox/client';
import type { Credential, N8n } from '../n8n';
import { sandboxCredentialData } from '../sandboxCredentialData';

/** A limit that is never reached. */
export const UNLIMITED = 1_000_000;

/** Stores a credential of this package with a limit of requests in a window of seconds. */
export async function partnerPaymentsCredential(
	n8n: N8n,
	sandbox: Sandbox,
	requestsPerMinute = UNLIMITED,
	rateWindowSeconds = 60,
): Promise<Credential> {
	const limit = { requestsPerMinute, rateWindowSeconds };
	return await n8n.createCredential(
		`At most ${requestsPerMinute} requests in ${rateWindowSeconds} s`,
		'partnerPaymentsApi',
		{ ...sandboxCredentialData(sandbox), ...limit },
	);
}

/** Stores n8n's simplest generic credential, with a token in it: the cheapest per request. */
export const bearerCredential = async (n8n: N8n, sandbox: Sandbox): Promise<Credential> =>
	await n8n.createCredential('A token', 'httpBearerAuth', { token: await sandbox.token() });
