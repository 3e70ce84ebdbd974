import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { namedSecrets } from '../../../nodes/PartnerPayments/service/http/redact';
import { decrypt } from '../../../nodes/PartnerPayments/trigger/encryption';
import type { Environment } from '../../../tools/environment';
import type { N8n } from '../../../tools/n8n';

/** What credentials hold that is no secret, whatever it is called. */
const NO_SECRET = /^https?:\/\/|^Bearer$/i;

/** A secret is this long at least; a shorter value is an ordinary word. */
const MIN_LENGTH = 8;

/** The secrets of all credentials that n8n has stored, and those that the service has told triggers. */
export function knownSecrets({ database, client }: N8n): Set<string> {
	const credentials = database.credentials();
	const clientSecrets = credentials.flatMap(({ clientSecret }) =>
		typeof clientSecret === 'string' ? [clientSecret] : [],
	);
	const encrypted = namedSecrets(database.staticData());
	const told = encrypted.flatMap((text) => clientSecrets.map((key) => decrypt(text, key)));
	return new Set(
		[client.apiKey, ...namedSecrets(credentials), ...told].filter(
			(text): text is string =>
				text !== undefined && text.length >= MIN_LENGTH && !NO_SECRET.test(text),
		),
	);
}

/** Where a secret stands in clear, as far as anybody but n8n's store of credentials reads it. */
export async function findInClear(
	{ n8n, sandbox, sandboxLog }: Environment & { sandboxLog: () => string },
	secrets = knownSecrets(n8n),
): Promise<string[]> {
	const folder = join(n8n.homeDirectory, '.n8n');
	const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
	const texts = {
		"n8n's log": n8n.log(),
		"the sandbox's log": sandboxLog(),
		"the sandbox's requests": JSON.stringify(await sandbox.control.requests()),
		...Object.fromEntries(logs.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
	};
	const tables = n8n.database.tablesWith([...secrets]);
	return [...secrets].flatMap((secret) =>
		[
			...Object.entries(texts).flatMap(([source, text]) => (text.includes(secret) ? [source] : [])),
			...(tables.get(secret) ?? []),
		].map((source) => `${secret.slice(0, 12)}… in ${source}`),
	);
}
