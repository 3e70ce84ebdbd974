import { installHost } from '../../../tools/n8n';
import { requireServers } from '../../../tools/queue/servers';

/** Runs once before the tests, outside of them, so that one message says what is missing. */
export default async function setup(): Promise<void> {
	requireServers();
	await installHost();
}
