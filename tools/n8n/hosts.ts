import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths';

/** The private package that an n8n is installed in, with a lock file of its own. */
export class Host {
	/** The version of n8n, such as `2.41.1`. */
	readonly version: string;

	/** @param folder where its package.json lies */
	constructor(readonly folder: string) {
		const text = readFileSync(join(folder, 'package.json'), 'utf8');
		const { dependencies } = JSON.parse(text) as { dependencies: { n8n: string } };
		this.version = dependencies.n8n;
	}
}

/** The newest n8n that is supported: the one that everything runs in unless it says otherwise. */
export const NEWEST_HOST = new Host(join(ROOT, 'tools/n8n/host'));

/** The first n8n whose Data Table node makes tables, so that the ledger needs no setup, of those that install. */
export const FIRST_TABLES_HOST = new Host(join(ROOT, 'tools/n8n/host-first-tables'));

/** The oldest n8n that is supported. */
export const OLDEST_HOST = new Host(join(ROOT, 'tools/n8n/host-oldest'));
