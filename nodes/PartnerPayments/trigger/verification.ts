import type { IWebhookFunctions } from 'n8n-workflow';

import type { Settings } from './parameters';
import { isSigned } from './signature';
import { signingSecrets } from './subscriptions';

/**
 * Milliseconds for which secrets are used that have verified a delivery: n8n takes long to read a
 * credential. A secret that was taken back counts that much longer; a new one counts at once.
 */
const FRESH = 10_000;

const proven = new Map<string, { secrets: string[]; until: number }>();

/** Whether a delivery is signed as it has to be; `unsigned` where no secret is known to sign any. */
export async function verify(
	context: IWebhookFunctions,
	settings: Settings,
	body: Buffer,
): Promise<'verified' | 'unsigned' | 'refused'> {
	const signature = [context.getHeaderData()[settings.signatureHeader]].flat()[0];
	const { id, credentials } = context.getNode();
	const { authentication, workspaceId } = settings;
	const trigger = [context.getMode(), context.getWorkflow().id, id, authentication, workspaceId];
	const key = JSON.stringify([...trigger, credentials]);
	const last = proven.get(key);
	if (last !== undefined && Date.now() < last.until && isSigned(body, signature, last.secrets)) {
		return 'verified';
	}
	const { secrets, isLost } = await signingSecrets(context, settings);
	if (secrets.length === 0 && !isLost) return 'unsigned';
	if (isLost || !isSigned(body, signature, secrets)) return 'refused';
	proven.set(key, { secrets, until: Date.now() + FRESH });
	return 'verified';
}
