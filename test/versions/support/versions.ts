import { type Host, NEWEST_HOST, OLDEST_HOST } from '../../../tools/n8n';

/** The oldest n8n, since all other suites run in the newest one; both with `VERSIONS=all`. */
export const VERSIONS: Host[] =
	process.env['VERSIONS'] === 'all' ? [OLDEST_HOST, NEWEST_HOST] : [OLDEST_HOST];
