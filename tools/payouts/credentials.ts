import type { Sandbox } from '../../sandbox/client';
import type { Credential, N8n } from '../n8n';
import { sandboxCredentialData } from '../sandboxCredentialData';
import { sharedLedgerFields, type LedgerStore } from './ledgerStore';

/** A limit that is never reached. */
export const UNLIMITED = 1_000_000;

/** What a credential is set to beside its account. */
export interface CredentialSettings {
	requestsPerMinute?: number;
	rateWindowSeconds?: number;
	/** Where its ledger is; the project unless told otherwise. */
	store?: LedgerStore;
}

/** Stores a credential of this package. */
export async function partnerPaymentsCredential(
	n8n: N8n,
	sandbox: Sandbox,
	{
		requestsPerMinute = UNLIMITED,
		rateWindowSeconds = 60,
		store = 'project',
	}: CredentialSettings = {},
): Promise<Credential> {
	const ledgerFields = store === 'shared' ? sharedLedgerFields(n8n) : {};
	return await n8n.createCredential(
		`At most ${requestsPerMinute} requests in ${rateWindowSeconds} s, ${store}`,
		'partnerPaymentsApi',
		{
			...sandboxCredentialData(sandbox),
			requestsPerMinute,
			rateWindowSeconds,
			...ledgerFields,
		},
	);
}

/** Stores n8n's simplest generic credential, with a token in it: the cheapest per request. */
export async function bearerCredential(n8n: N8n, sandbox: Sandbox): Promise<Credential> {
	const token = await sandbox.token();
	return await n8n.createCredential('A token', 'httpBearerAuth', { token });
}
