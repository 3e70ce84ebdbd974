import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { namedSecrets } from '../../../nodes/PartnerPayments/api/http/redact';
import { decrypt } from '../../../nodes/PartnerPayments/trigger/triggerData';
import type { N8n } from '../../../tools/n8n';

/** What credentials hold that is no secret, whatever it is called. */
const NO_SECRET = /^https?:\/\/|^Bearer$/i;

/** A secret is this long at least; a shorter value is an ordinary word. */
const MIN_LENGTH = 8;

/** A secret that stands in the name of a workflow: a search that misses it finds nothing. */
export const PLANTED_SECRET = 'planted-secret-of-the-control';

/** The secrets of all credentials that n8n has stored, and those that the service has sent to triggers. */
export function knownSecrets({ database, client }: N8n): Set<string> {
	const credentials = database.credentials();
	const clientSecrets = new Set(
		credentials.flatMap(({ clientSecret }) =>
			typeof clientSecret === 'string' ? [clientSecret] : [],
		),
	);

	const encrypted = namedSecrets(database.staticData());
	const sent = encrypted.flatMap((text) => [...clientSecrets].map((key) => decrypt(text, key)));

	return new Set(
		[client.session.apiKey, ...namedSecrets(credentials), ...sent].filter(
			(text): text is string =>
				text !== undefined && text.length >= MIN_LENGTH && !NO_SECRET.test(text),
		),
	);
}

/** Where each secret is in clear text: in a table of n8n other than that of its API keys, or in a log. */
export function findInClear(n8n: N8n, secrets = knownSecrets(n8n)): Map<string, Set<string>> {
	const found = n8n.database.tablesWith([...secrets]);
	const folder = join(n8n.process.home, '.n8n');
	const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
	const written = [
		n8n.process.log(),
		...logs.map((name) => readFileSync(join(folder, name), 'utf8')),
	];

	for (const secret of secrets) {
		if (!written.some((text) => text.includes(secret))) {
			continue;
		}

		found.set(secret, (found.get(secret) ?? new Set()).add('log'));
	}

	return found;
}

/**
 * Fails when a secret is in clear text anywhere, and when the search does not even find the one that was
 * planted.
 */
export function expectNoSecrets(n8n: N8n): void {
	const found = findInClear(n8n);
	const planted = found.get(PLANTED_SECRET);
	if (planted?.has('workflow_entity') !== true) {
		throw new Error('The search for secrets does not find the planted one');
	}

	found.delete(PLANTED_SECRET);
	if (found.size === 0) {
		return;
	}

	const places = [...found].map(
		([secret, sources]) => `${secret.slice(0, 12)}… in ${[...sources].join(', ')}`,
	);
	throw new Error(`Secrets are in clear text: ${places.join('; ')}`);
}
