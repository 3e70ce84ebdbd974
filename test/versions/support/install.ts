import { installHost } from '../../../tools/n8n';
import { VERSIONS } from './versions';

/** Runs once before the tests, outside of them, so that the progress of a first installation shows. */
export default async function install(): Promise<void> {
	for (const host of VERSIONS) await installHost(host);
}
