import { installHost } from '../../tools/n8n';

/** Runs once before the tests, outside of them, so that the progress of a first installation shows. */
export default async function install(): Promise<void> {
	await installHost();
}
