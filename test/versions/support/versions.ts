import { type Host, NEWEST_HOST, OLDEST_HOST } from '../../../tools/n8n';

/** The versions of n8n that the suite runs over. */
export const VERSIONS: Host[] = [OLDEST_HOST, NEWEST_HOST];

/** Defines the same tests for each version. */
export function onEachVersion(defineTests: (host: Host) => void): void {
	for (const host of VERSIONS) {
		describe(`n8n ${host.version}`, () => {
			defineTests(host);
		});
	}
}
