import {
	FIRST_TABLES_HOST,
	type Host,
	installHost,
	NEWEST_HOST,
	OLDEST_HOST,
} from '../../../tools/n8n';

/** The oldest n8n, since all other suites run in the newest one; one between and the newest, too, with `VERSIONS=all`. */
export const VERSIONS: Host[] =
	process.env['VERSIONS'] === 'all' ? [OLDEST_HOST, FIRST_TABLES_HOST, NEWEST_HOST] : [OLDEST_HOST];

/** Runs once before the tests, outside of them, so that the progress of a first installation shows. */
export default async function install(): Promise<void> {
	for (const host of VERSIONS) {
		await installHost(host);
	}
}
